"""A worker process: one implementation on one device with one number of threads, doing what the coordinator says.

    python -m accelbench.worker SOCKET COORDINATOR

Messages and answers are frames over a socket (worker.protocol); the coordinator's process id is for people who look.
Nothing heavy is imported before the environment is known to be right: the coordinator has set it before this
interpreter started. Nothing of the coordinator's is imported at all.
"""

import contextlib
import gc
import os
import re
import resource
import socket
import sys
import traceback
from pathlib import Path
from time import perf_counter

from accelbench import backends, toolchains
from accelbench.discovery import import_file
from accelbench.errors import InputError, WrongResult, brief
from accelbench.model.artifact import Artifact
from accelbench.model.parameters import BLOCK_SIZE, plain, typed
from accelbench.worker import NUMPY_IMPORT_S
from accelbench.worker.case import KernelCase
from accelbench.worker.clock import Clock
from accelbench.worker.leftovers import Busy, Leftovers
from accelbench.worker.problem import Call, Problem
from accelbench.worker.protocol import Channel
from accelbench.worker.session import Session
from accelbench.worker.untouched import Untouched

EXHAUSTED = re.compile("out.of.(host.)?memory|memory.?allocation|object_allocation_failure", re.IGNORECASE)
PROMISES = ("block_until_ready", "result", "wait")  # methods of what libraries return before it is computed


class Worker:
    """Serves one connection. Every public method is a message's name; `problem` and `handle` are the coordinator's."""

    def __init__(self):
        self.problems, self.handles = {}, {}

    def open(self, recipe):
        """Import the implementation and open its device; {"import_s", "context_s", "gpu" (what its session says)}."""
        self.recipe = recipe
        if recipe["memory_bytes"] and recipe["device"]["name"] == "cpu":
            resource.setrlimit(resource.RLIMIT_DATA, (recipe["memory_bytes"],) * 2)
        module_of = backends.modules()[recipe["backend"]]
        os.environ.update(Session.variables(module_of, recipe["device"], recipe["threads"]))
        self._untouched = Untouched(Clock, Problem, Call, module_of, *module_of.Session.__mro__, Session, Worker)
        begin = perf_counter()
        self.module = self._import()
        import_s = perf_counter() - begin
        if recipe["backend"] != "python":
            import_s += NUMPY_IMPORT_S
        begin = perf_counter()
        try:
            self.session = Session(module_of, recipe["backend"], recipe["device"])
        except Exception as error:
            if EXHAUSTED.search(str(error)):  # by whoever holds the device's memory meanwhile
                raise MemoryError(str(error)) from error
            raise
        context_s = perf_counter() - begin
        return {"import_s": import_s, "context_s": context_s, "gpu": self.session.gpu()}

    def _import(self):
        file = Path(self.recipe["file"])
        if file.suffix == ".pyx":
            artifact = Artifact(**self.recipe["artifacts"][file.name])
            return toolchains.open_artifact(artifact, self.recipe["build_folder"], self.recipe["toolchain"])
        return import_file(file)

    def environment(self):
        """Thread pools and the library's own settings as they are, after the libraries have started."""
        settings = self.session.settings() | {"cores": len(os.sched_getaffinity(0))}
        try:
            import threadpoolctl
        except ImportError:
            return settings
        pools = threadpoolctl.threadpool_info()
        return settings | {
            "thread_pools": [
                {k: p.get(k) for k in ("user_api", "internal_api", "version", "num_threads")} for p in pools
            ]
        }

    def load(self, problem, message):
        """Put a problem's arrays on the device."""
        with open(message["file"], "rb"):
            self.problems[problem] = Problem(self.session, self.module, message)

    def prepare(self, problem, handle, case):
        """Make `run` ready with a case's parameters; {"build_s"}."""
        given_parameters = typed(case["parameters"])
        parameters, tuned = plain(given_parameters), case["tuned"] and plain(typed(case["tuned"]))
        begin = perf_counter()
        if hasattr(self.module, "prepare"):
            given = KernelCase(
                **{key: case[key] for key in ("size", "dtype", "options")},
                **parameters,
                device=self.recipe["device"]["name"],
                queue=self.session.queue,
                stream=self.session.stream,
                artifact=lambda source: _artifact(self.recipe, source, self.session),
                tuned=tuned,
                prepared=lambda name, **values: _prepared(self.recipe, name, given, values),
            )
            call = Call(self.module.prepare(given), parameters, prepared=True)
        else:
            call = Call(self.module.run, parameters, prepared=False)
        build_s = perf_counter() - begin
        call.bind(self.problems[problem].arguments)
        self.handles[handle] = Clock(self.problems[problem].session, self.problems[problem], call)
        _check_block(self.session.launch_facts(call), given_parameters.get(BLOCK_SIZE))
        return {"build_s": build_s}

    def launch_facts(self, handle):
        """What the session says of a case's kernel; best asked after the first call, which compiles some."""
        return self.session.launch_facts(self.handles[handle].call)

    def first_call(self, problem, handle):
        """A call whose results are to be compared: {"first_call_s", "flush_to_zero" (whether this thread takes numbers
        below the normal ones for 0, as libraries built with -ffast-math have it), "results", "again"}."""
        given, clock = self.problems[problem], self.handles[handle]
        self._untouched.check()
        given.poison()
        self.session.synchronise()
        begin = perf_counter()
        returned = clock.call.once()
        self.session.wait(returned)
        self.session.synchronise()
        seconds = perf_counter() - begin
        _check_awaited(self.session, returned)
        return {"first_call_s": seconds, "flush_to_zero": _flushes_to_zero(), **given.answer(returned, clock.call)}

    def recheck(self, problem, handle):
        """As first_call, with the inputs last filled in, which must be untouched."""
        self.handles[handle].call.bind(self.problems[problem].arguments)
        answer = self.first_call(problem, handle)
        self.problems[problem].check_inputs()
        return answer

    def changed(self, problem, handle, changes, pairs):
        """One timed call with some of the inputs changed, afterwards put back: {"seconds", "results", "again"} and, of
        `pairs` of calls before it, "after_change_s" and "unchanged_s", the seconds after a change and after none."""
        given, clock = self.problems[problem], self.handles[handle]
        self._untouched.check()
        given.check_inputs()
        original = given.change(changes)
        after, unchanged = [], []
        for pair in range(pairs):
            values = original if pair % 2 else changes
            for seconds in (after, unchanged):
                given.change(values)
                clock.call.bind(given.arguments)
                given.restore()
                seconds.append(clock.once()[0])
                self.session.synchronise()
            given.change(original)
        given.change(changes)
        clock.call.bind(given.arguments)
        given.poison()
        self.session.synchronise()
        seconds, returned = clock.once()
        answer = given.answer(returned, clock.call)  # as it is when the clock stops, whatever runs on elsewhere
        self.session.synchronise()
        answer["results"] |= {name: answer["results"][name].copy() for name in given.inout}
        given.change(original)
        clock.call.bind(given.arguments)
        return {"seconds": seconds, "after_change_s": after, "unchanged_s": unchanged, **answer}

    def warm_up(self, handle, settings):
        """Warm up and choose loops; {kind: (seconds per call, loops)}."""
        return self.handles[handle].warm_up(settings)

    def sample(self, handle, loops, primed, cold):
        """One sample of each kind in `loops`; {kind: seconds per call}."""
        return self.handles[handle].sample(loops, primed, cold)

    def cores_used(self, handle):
        """The CPU time of this process over the wall time of a case's samples; None where there are none."""
        return self.handles[handle].cores_used()

    def run_on(self, handle, seconds, restore):
        """Calls of a case without pause for about `seconds`; (begin, end, calls)."""
        return self.handles[handle].run_on(seconds, restore)

    def profile(self, handle, name, added):
        """Where a call of a case spends its time; see worker.profiler."""
        from accelbench.worker import profiler  # here: it imports what no worker that measures should have loaded

        return profiler.profile(self.handles[handle].call, Path(self.recipe["file"]).parent, name, added)

    def refill(self, problem, message):
        """Replace a problem's inputs by others of the same shapes."""
        with open(message["file"], "rb"):
            self.problems[problem].refill(message)

    def release(self, problem):
        """Forget a problem, its arrays and what was prepared for it."""
        given = self.problems.pop(problem, None)
        self.handles = {h: clock for h, clock in self.handles.items() if clock.problem is not given}
        if given is not None:
            given.release()
            del given
        gc.collect()


def _flushes_to_zero(smallest=sys.float_info.min):
    return smallest / 2 == 0.0


def _check_block(facts, block_size):
    """NotImplementedError where the device could launch blocks of this size, but not of this kernel."""
    if facts is None or block_size is None:
        return
    limit = facts["max_block_size"]
    if block_size.threads > limit:
        registers = "" if facts["registers"] is None else f" ({facts['registers']} registers per thread)"
        raise NotImplementedError(f"block size {block_size} exceeds this kernel's limit of {limit}{registers}")


def _check_awaited(session, returned):
    """WrongResult where a result shows by its methods that it may be computed later, and nothing waits for it."""
    if session.ON_HOST and not backends.waits(session):
        for result in returned if isinstance(returned, tuple) else (returned,):
            method = next((name for name in PROMISES if callable(getattr(result, name, None))), None)
            if method is not None:
                raise WrongResult(
                    f"run returned a {type(result).__name__} with a method {method}, so it may be computed later, and "
                    "nothing waits for it: write wait(result) in the Session of its backend (docs/adding.md)"
                )


def _artifact(recipe, source, session):
    """What a source is for its implementation: a path, a module, a program; of one that nothing builds, its path."""
    if source in recipe["unbuilt"]:
        return str(Path(recipe["file"]).with_name(source))
    if source not in recipe["artifacts"]:
        raise LookupError(f"case.artifact({source!r}): SOURCES does not name it")
    return session.load(Artifact(**recipe["artifacts"][source]), recipe["build_folder"], recipe["toolchain"])


def _prepared(recipe, name, given, values):
    """The `run` of another of the kernel's implementations, prepared for the same case with these parameters.

    Its file and its sources must be among those of SOURCES, so that whoever changes them changes this one, too.
    """
    if f"{name}.py" not in recipe["unbuilt"]:
        raise LookupError(f"case.prepared({name!r}): SOURCES does not name {name}.py")
    module = import_file(Path(recipe["file"]).with_name(f"{name}.py"))
    return module.prepare(KernelCase(**(vars(given) | values)))


def failure(worker, error):
    """(outcome, reason) of an exception, for people."""
    if isinstance(error, WrongResult):
        return "wrong_result", str(error)
    if isinstance(error, (Busy, InputError)):
        return "error", str(error)
    if isinstance(error, NotImplementedError):
        return "unsupported", str(error) or "the implementation says so"
    explained = worker.session.explain(error) if hasattr(worker, "session") else None
    if explained is not None:
        return explained
    if isinstance(error, (MemoryError, *getattr(getattr(worker, "session", None), "OUT_OF_MEMORY", ()))):
        return "out_of_memory", str(error) or "memory exhausted"
    words = str(error).strip().splitlines()
    return "error", f"{type(error).__name__}: {words[0] if words else 'no message'}{_place(worker, error)}"


def _place(worker, error):
    """Where in the implementation's own file an error arose, else in its backend's module, or nothing."""
    recipe = getattr(worker, "recipe", None)
    if recipe is None:
        return ""
    for file in (recipe["file"], backends.modules()[recipe["backend"]].__file__):
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        if lines:
            return f" ({Path(file).name}, line {lines[-1]})"
    return ""


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    channel, process = Channel(socket.socket(fileno=descriptor), files=True), os.getpid()
    os.register_at_fork(after_in_child=channel.close)
    worker, leftovers = Worker(), Leftovers()
    while True:
        try:
            number, (name, *arguments) = channel.receive(buffer_bytes=sys.maxsize)
        except (EOFError, ConnectionResetError):  # the coordinator may have been killed before it read an answer
            return
        answer = _answer(worker, leftovers, name, arguments)
        if os.getpid() != process:
            os._exit(1)  # a copy that the implementation made of this process, and let return
        try:
            leftovers.note()
            channel.send(number, answer)
        except (TypeError, ValueError) as error:
            channel.send(number, ("failed", ("error", f"what it answered cannot be sent: {error}")))


def _answer(worker, leftovers, name, arguments):
    """("ok", what a method of the worker returns), or ("failed", (outcome, reason)), whatever it throws."""
    try:
        leftovers.check()
        return "ok", getattr(worker, name)(*arguments)
    except BaseException as error:
        with contextlib.suppress(BaseException):  # its words, and where they go, are the implementation's
            traceback.print_exc()
        try:
            outcome, reason = failure(worker, error)
            told = outcome, brief(reason)
        except InputError as mistake:  # of the session, which is asked to explain it
            told = "error", str(mistake)
        except BaseException:
            told = "error", f"{type(error).__name__}, whose message cannot be printed"
        lost = worker.session.lost() if hasattr(worker, "session") else None
        if lost is not None:
            # An error that stays in the context would be every later case's too; these are its last words.
            print(f"the device is lost to this process: {lost}", file=sys.stderr, flush=True)
            os._exit(1)
        with contextlib.suppress(BaseException):
            sys.stderr.flush()
        return "failed", told


if __name__ == "__main__":
    main()
