"""A worker process, which runs one implementation on one device with a fixed number of threads.

    python -m accelbench.worker SOCKET COORDINATOR

SOCKET is the descriptor of a socket, over which calls and answers pass as frames (rpc.channel). COORDINATOR is the
coordinator's process id, which only people who list processes use. The coordinator sets the environment variables.
"""

import contextlib
import gc
import importlib
import os
import re
import resource
import socket
import sys
import traceback
from functools import partial
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace

import numpy as np

from accelbench import backends, discovery
from accelbench.errors import Hindrance, InputError, WrongResult, brief
from accelbench.model.parameters import BLOCK_SIZE, plain, typed
from accelbench.rpc.channel import Channel
from accelbench.rpc.messages import KEEPS_RESULTS, KINDS, CallResult, ChangedCallResult, Opened, exceeds
from accelbench.worker import NUMPY_IMPORT_S
from accelbench.worker.case import KernelCase
from accelbench.worker.clock import Clock
from accelbench.worker.leftovers import Leftovers
from accelbench.worker.problem import Call, LoadedProblem, elements
from accelbench.worker.session import Session
from accelbench.worker.untouched import TamperCheck

EXHAUSTED = re.compile("out.of.(host.)?memory|memory.?allocation|object_allocation_failure", re.IGNORECASE)
MOST_WRITTEN = 4 << 30  # Maximum size of any file that a worker writes, in bytes, including its standard output
PROMISES = ("block_until_ready", "result", "wait")  # Methods of results that may be incomplete after `run` returns


class Worker:
    """Methods that the coordinator calls; rpc.messages.ANSWERS has the types of their answers. A case is the worker's
    implementation with one problem and one set of parameters. `problem` and `handle` are the ids that the coordinator
    gives to a problem and a case."""

    def __init__(self):
        self.problems, self.handles = {}, {}

    def open(self, **recipe):
        """Import an implementation and open its device. Return Opened.

        file          path of the implementation; `variant` is the name of its variant, or None
        backend, module  names of the backend and of its module
        device, threads  the Device, and the number of host threads (None if the host's cores do not compute)
        artifacts     {source: Artifact} that `toolchain` built in `build_folder`
        unbuilt       sources that need no build
        once_folder   folder in which the backend's function `once` stores results for other workers
        memory_bytes  memory limit of the process in bytes, only for the device "cpu" (the host's cores); 0 for no limit
        """
        self.recipe = recipe = SimpleNamespace(**recipe)
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN,) * 2)
        if recipe.memory_bytes and recipe.device.name == "cpu":
            resource.setrlimit(resource.RLIMIT_DATA, (recipe.memory_bytes,) * 2)
        module_of = importlib.import_module(recipe.module)
        os.environ.update(Session.variables(module_of, recipe.device, recipe.threads))
        self._tamper_check = TamperCheck()
        begin = perf_counter()
        self.module = self._import()
        import_s = perf_counter() - begin
        if recipe.backend != "python":
            import_s += NUMPY_IMPORT_S
        if once := getattr(module_of, "once", None):
            once(recipe.device, Path(recipe.once_folder))
        begin = perf_counter()
        try:
            self.session = Session(module_of, recipe.backend, recipe.device)
        except Exception as error:
            if EXHAUSTED.search(str(error)):  # other processes fill the device's memory
                raise MemoryError(str(error)) from error
            raise
        return Opened(import_s, perf_counter() - begin, self.session.gpu(), bool(getattr(self.module, "convert", None)))

    def _import(self):
        file = Path(self.recipe.file)
        if file.suffix == ".pyx":
            from accelbench import toolchains  # imported lazily to speed up worker start-up

            artifact = self.recipe.artifacts[file.name]
            return toolchains.open_artifact(artifact, self.recipe.build_folder, self.recipe.toolchain)
        return discovery.import_file(file)

    def environment(self):
        """Return {name: value} of library settings, usable cores and, if threadpoolctl is installed, thread pools."""
        settings = self.session.settings() | {"cores": len(os.sched_getaffinity(0))}
        try:
            import threadpoolctl
        except ImportError:
            return settings
        names = ("user_api", "internal_api", "version", "num_threads")
        pools = [{name: pool.get(name) for name in names} for pool in threadpoolctl.threadpool_info()]
        return settings | {"thread_pools": pools}

    def load(self, problem, inputs):
        """Create the arrays of a problem in the memory that `inputs.location` names, the device's or the host's."""
        with open(inputs.file, "rb"):
            self.problems[problem] = LoadedProblem(self.session, self.module, inputs)

    def prepare(self, problem, handle, *, parameters, tuned, **named):
        """Prepare `run` for a case. Return the duration of this preparation, in seconds.

        named  size, dtype and options of the problem
        """
        given_parameters, loaded = typed(parameters), self.problems[problem]
        parameters, tuned = plain(given_parameters), tuned and plain(typed(tuned))
        begin = perf_counter()
        if hasattr(self.module, "prepare"):
            given = KernelCase(
                **named,
                variant=self.recipe.variant,
                **parameters,
                threads=self.recipe.threads,
                device=self.recipe.device.name,
                queue=self.session.queue,
                stream=self.session.stream,
                artifact=lambda source: _artifact(self.recipe, source, self.session),
                tuned=tuned,
                prepared=lambda name, **values: _prepared(self.recipe, name, KernelCase(**(vars(given) | values))),
            )
            call = Call(self.module.prepare(given), parameters, prepared=True)
        else:
            call = Call(self.module.run, parameters, prepared=False)
        build_s = perf_counter() - begin
        call.bind(loaded.arguments)
        self.handles[handle] = Clock(loaded.session, loaded, call)
        _check_block(self.session.launch_facts(call), given_parameters.get(BLOCK_SIZE))
        return build_s

    def facts_of(self, handle):
        """Return LaunchFacts of the kernel that a case launches, or None. Some libraries know these facts only after
        the first call."""
        return self.session.launch_facts(self.handles[handle].call)

    def first_call(self, handle):
        """Call a case once, or twice if the kernel asks for the results of a second call. Return the CallResult."""
        clock = self.handles[handle]
        problem = clock.problem
        self._tamper_check.check(self, clock)
        problem.poison()
        self.session.synchronise()
        begin = perf_counter()
        returned = clock.call.once()
        self.session.wait(returned)
        self.session.synchronise()
        seconds = perf_counter() - begin
        _check_awaited(self.session, returned)
        return CallResult(seconds, _flushes_to_zero(), *problem.answer(returned, clock.call))

    def recheck(self, handle):
        """Call a case as in `first_call`, with the current inputs. Raise WrongResult if the call changes inputs."""
        clock = self.handles[handle]
        clock.call.bind(clock.problem.arguments)
        answer = self.first_call(handle)
        clock.problem.check_inputs()
        return answer

    def changed(self, handle, change, *, rows, stale):
        """Time a loop of calls, and change inputs before its last call. Return the last call's ChangedCallResult.

        change  the InputChange, which this method undoes at the end
        rows    the Rows: the number of calls in the loop, and the pairs of calls to time before the loop
        stale   whether outputs keep their old values before the last call. If false, fill them with POISON
        """
        clock = self.handles[handle]
        problem = clock.problem
        self._tamper_check.check(self, clock)
        problem.check_inputs()
        put = partial(_put, problem, clock.call)
        turn, original = _turn(problem, change.turns, put), elements(problem.inputs, change.turns)

        def make_change(left=1):
            if left == 1:
                put(change.changes)
                problem.poison(stale)
                self.session.synchronise()

        def timed(prepare, calls=1, between=None):
            prepare()
            seconds, _ = clock.row(calls, between)
            self.session.synchronise()
            return seconds

        pairs = _pairs(rows, lambda: (timed(turn), timed(lambda: put(elements(problem.host, original)))))
        put(original)
        in_rows = []
        if rows.calls and problem.in_rows and not problem.inout:
            row = partial(timed, lambda: put(original), rows.calls)
            in_rows = [(row(lambda left: put(original)), row()) for _ in range(rows.pairs)]
        if rows.pairs:
            clock.row(1)  # so that outputs contain the results of the original inputs
        if rows.row == 1:
            make_change()
        seconds, returned = clock.row(rows.row, make_change)
        results, again = problem.answer(returned, clock.call)  # synchronising first could complete late results
        self.session.synchronise()
        results |= {name: results[name].copy() for name in problem.inout}
        put(elements(problem.inputs, change.changes))
        return ChangedCallResult(seconds, _flushes_to_zero(), results, again, pairs, in_rows)

    def warm_up(self, handle, **settings):
        """Warm up a case as Clock.warm_up does. Return {kind of time: (seconds per call, loops of a sample)}."""
        return self.handles[handle].warm_up(**settings)

    def sample(self, handle, loops, *, primed, cold):
        """Take one sample of each kind of time in `loops`, {kind: calls}. Return {kind: seconds per call}.

        primed  kinds of time with an untimed call before the sample
        cold    whether to empty caches before each call of a sample of `compute`; caches of "cpu" are not emptied
        """
        return self.handles[handle].sample(loops, primed, cold)

    def facts_of_samples(self, handle):
        """Return the SampleFacts of a case."""
        self._tamper_check.check(self, self.handles[handle])
        return self.handles[handle].sample_facts()

    def run_on(self, handle, seconds, restore):
        """Call a case for about `seconds`, as in Clock.run_on. Return (begin, end, calls), with times of perf_counter.

        restore  whether to restore the starting values of outputs first
        """
        return self.handles[handle].run_on(seconds, restore)

    def profile_call(self, handle, kernel):
        """Profile a call of a case. Return the result of worker.profiler.profile."""
        from accelbench.worker import profiler  # imported lazily: workers that measure do not need it

        return profiler.profile(self.handles[handle].call, Path(self.recipe.file).parent, kernel)

    def refill(self, problem, inputs):
        """Replace the inputs of a problem by new inputs with the same shapes."""
        with open(inputs.file, "rb"):
            self.problems[problem].refill(inputs)

    def release(self, problem):
        """Free the arrays of a problem, and forget the problem and its cases."""
        problem = self.problems.pop(problem, None)
        self.handles = {h: clock for h, clock in self.handles.items() if clock.problem is not problem}
        if problem is not None:
            problem.release()
            del problem
        gc.collect()


def _put(problem, call, changes):
    """Write `changes` into a problem's inputs, bind `call` to them, and restore outputs' starting values."""
    problem.change(changes)
    call.bind(problem.arguments)
    problem.restore()


def _pairs(rows, take):
    """Return rows.pairs pairs of times from `take`. Stop once fewer than rows.least pairs can exceed KEEPS_RESULTS."""
    pairs, within = [], 0
    while len(pairs) < rows.pairs and within <= rows.pairs - rows.least:
        pairs.append(take())
        within += not exceeds(pairs[-1], KEEPS_RESULTS)
    return pairs


def _turn(problem, turns, put):
    """Return a function that sets some elements of inputs to values from `turns`, {input: (places, values)}. The binary
    digits of a counter select the elements, so that consecutive calls have different inputs."""
    original = elements(problem.inputs, turns)

    def turn():
        number = next(problem.turned)
        for name, (places, values) in turns.items():
            put({name: (places, np.where(number >> np.arange(places.size) & 1, values, original[name][1]))})

    return turn


def _flushes_to_zero(smallest=sys.float_info.min):
    return smallest / 2 == 0.0


def _check_block(facts, block_size):
    """Raise Hindrance if `block_size` exceeds the limit in `facts`, the LaunchFacts of a kernel."""
    if facts is not None and block_size is not None and block_size.threads > facts.max_block_size:
        registers = "" if facts.registers is None else f" ({facts.registers} registers per thread)"
        raise Hindrance(
            f"block size {block_size} exceeds this kernel's limit of {facts.max_block_size}{registers}",
            outcome="unsupported",
            cause="the kernel does not support this block size",
        )


def _check_awaited(session, returned):
    """Raise WrongResult if a result has a method of PROMISES and the session does not wait for results."""
    if not backends.waits(session):
        for result in returned if isinstance(returned, tuple) else (returned,):
            method = next((name for name in PROMISES if callable(getattr(result, name, None))), None)
            if method is not None:
                raise WrongResult(
                    f"run returned a {type(result).__name__} with a method {method}, so it may be computed after "
                    "the clock has stopped: define wait(result) in the Session of the backend (docs/backend.md)"
                )


def _artifact(recipe, source, session):
    """Return the artifact of a source, loaded by the session, or the path of a source that needs no build."""
    if source in recipe.unbuilt:
        return str(Path(recipe.file).with_name(source))
    if source not in recipe.artifacts:
        raise LookupError(f"case.artifact({source!r}): SOURCES does not list this file")
    return session.load(recipe.artifacts[source], recipe.build_folder, recipe.toolchain)


def _prepared(recipe, name, case):
    """Return the `run` of the kernel's implementation `name`, prepared for `case`. The SOURCES of the calling
    implementation must name the file and the sources of `name`. A change of these files then starts a new measurement
    of the calling implementation."""
    if f"{name}.py" not in recipe.unbuilt:
        raise LookupError(f"case.prepared({name!r}): SOURCES does not list {name}.py")
    return discovery.import_file(Path(recipe.file).with_name(f"{name}.py")).prepare(case)


def failure(worker, error):
    """Return (outcome, reason[, remedy[, cause]]) of an exception, as in rpc.process.Failed."""
    match error:
        case WrongResult():
            return "wrong_result", str(error)
        case InputError():
            return "error", str(error), error.remedy
        case Hindrance():
            return error.outcome, str(error), error.remedy, error.cause
        case NotImplementedError():
            return "unsupported", str(error) or "the implementation raises NotImplementedError"
    explained = worker.session.explain(error) if hasattr(worker, "session") else None
    if explained is not None:
        return explained
    if isinstance(error, (MemoryError, *getattr(getattr(worker, "session", None), "OUT_OF_MEMORY", ()))):
        return "out_of_memory", str(error) or "memory exhausted"
    words = str(error).strip().splitlines()
    return "error", f"{type(error).__name__}: {words[0] if words else 'no message'}{_place(worker, error)}"


def _place(worker, error):
    """Return " (FILE:LINE)" of an error in the implementation's file or in the backend's module; "" if unknown."""
    recipe = getattr(worker, "recipe", None)
    if recipe is None:
        return ""
    for file in (recipe.file, sys.modules[recipe.module].__file__):
        if line := discovery.line(file, error):
            return f" ({Path(file).name}{line})"
    return ""


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    channel = Channel(socket.socket(fileno=descriptor), files=True, kinds=KINDS)
    os.register_at_fork(after_in_child=channel.close)
    worker, leftovers = Worker(), Leftovers()

    def call(name, arguments):
        try:
            leftovers.check()
            return getattr(worker, name)(**arguments)
        finally:
            leftovers.note()

    channel.serve(call, partial(refusal, worker))


def refusal(worker, error):
    """Print an exception of the worker's methods. Return a tuple as from `failure`, even if `failure` itself fails. End
    the process if it can no longer use the device."""
    with contextlib.suppress(BaseException):  # printing runs code of the implementation, such as the error's __str__
        traceback.print_exc()
    try:
        answer = tuple(map(brief, failure(worker, error)))
    except InputError as mistake:  # raised by the session's `explain`
        answer = "error", str(mistake), mistake.remedy
    except BaseException:
        answer = "error", f"{type(error).__name__}, whose message cannot be printed"
    lost = worker.session.lost() if hasattr(worker, "session") else None
    if lost is not None:
        # Every later case would fail with the same error. The coordinator reports the printed line as the reason.
        print(f"this process can no longer use the device: {lost}", file=sys.stderr, flush=True)
        os._exit(1)
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    return answer


if __name__ == "__main__":
    main()
