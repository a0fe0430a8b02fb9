"""Checks of implementations against the reference of their kernel, at sizes at which mistakes are likely."""

import ast
import contextlib
import dataclasses
import itertools
import time
from functools import partial
from pathlib import Path

from accelbench import backends, toolchains
from accelbench.errors import InputError
from accelbench.machine.description import describe
from accelbench.measure import plan
from accelbench.measure.bench import Bench
from accelbench.measure.prediction import Predictor
from accelbench.rpc.process import Failed
from accelbench.store import files, formats

# Sizes of edge cases: empty, tiny, and around SIMD and warp widths. The kernel's check_sizes are checked in addition.
SIZES = (0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 97)
# Number of random inputs for each size, in addition to the exact inputs. Sizes above the largest of SIZES have only one
# random input, since their calls are slower.
SEEDS = 4
FOLDER = Path("results", ".check")
DEADLINE_S = 60.0  # Deadline of a call, in seconds
REASONS, COMPILERS_LINES = 3, 30  # Maximum numbers of reasons for failures, and of lines of a compiler's log, to print
RACING_S, RACING_CALLS = 0.5, 20  # Minimum time in seconds, and minimum number of calls, to check for race conditions
# Minimum work of each thread in a check for race conditions, in units of Footprint.work. The work is less if the
# problem's arrays would exceed RACING_BYTES.
RACING_WORK = 20_000
# Maximum bytes of a problem's arrays in a check for race conditions, and number of threads assumed on a GPU
RACING_BYTES, RACING_THREADS = 64e6, 64
BUILDING_S = 600.0  # Maximum time to wait for another check that builds the same kernel, in seconds
# Maximum predicted time of a call, in seconds; a size with a longer predicted call is not checked. Also the time after
# which a check for race conditions ends, in seconds
LONGEST_CALL_S = 20.0


def check(config, implementations, tell=print):
    """Check implementations of an EffectiveConfig's kernel in every dtype. Return whether all results are right.

    implementations  names of the implementations
    tell             function that prints a line: the outcome of an implementation on a device, or one of the first
                     failures

    Builds are stored in results/.check. An implementation that is unsupported at every size does not count as right. If
    several threads share the work, the check also repeats a call of a large problem many times, to catch race
    conditions.
    """
    bench = ready(config, implementations)
    verdicts = []
    with contextlib.closing(bench.verifier):
        for name in implementations:
            verdicts += _verdicts(bench, name, tell)
    return all(verdicts)


def _verdicts(bench, name, tell):
    """Return a list that says for each device whether the implementation is right on this device.

    If this machine has no device for the implementation, the list has one element: whether the implementation is
    complete, its CUDA sources compile, and the module of its backend is correct.
    """
    implementation = bench.folder.implementations[name]
    if implementation.problem:
        tell(f"{name}: cannot be used: {implementation.problem}")
        return [False]
    state = bench.machine.probes[implementation.environment, implementation.backend]
    if state.available:
        return [_check_one(bench, name, device, tell=tell) for device in state.devices]
    tell(f"{name}: unavailable: {state.reason}")
    missing = _to_be_written(implementation)
    for what in missing:
        tell(f"{name}: not filled in yet: {what}")
    needs_none = implementation.toolchain == "cuda"  # CUDA's compiler needs no GPU
    compiles = not needs_none or _is_built(bench, implementation, None, place=name, tell=tell)
    if needs_none and compiles:
        tell(f"{name}: compiles, but this machine cannot check its results")
    usable = backends.problem(implementation.backend) is None  # whether the module of the backend is correct
    return [compiles and not missing and usable]


def _to_be_written(implementation):
    """Return the messages of all NotImplementedErrors that an implementation's functions raise unconditionally."""
    if implementation.path.suffix != ".py":
        return []
    functions = [f for f in ast.walk(ast.parse(implementation.path.read_bytes())) if isinstance(f, ast.FunctionDef)]
    raised = [step.exc for function in functions for step in function.body if isinstance(step, ast.Raise)]
    return [
        " ".join(str(word.value) for word in exc.args if isinstance(word, ast.Constant))
        for exc in raised
        if isinstance(exc, ast.Call) and getattr(exc.func, "id", None) == "NotImplementedError"
    ]


def ready(config, implementations, *, home=FOLDER, scratch=None, verbose=False):
    """Build implementations of an EffectiveConfig's kernel, and return a Bench of the kernel on this machine.

    implementations  names of the implementations
    home             folder of the builds; `scratch` and `verbose` are as in Bench

    Processes that call this function for one kernel at the same time build one after the other.
    """
    folder = config.kernel
    planned = {*implementations, folder.spec.baseline}
    described = describe("check", config.config, {folder.implementations[name].backend for name in planned})
    built = home / "build" / folder.name
    with files.locked(built.with_suffix(".lock"), lambda holder: f"{holder} is building {folder.name}", BUILDING_S):
        for name in toolchains.needed(folder, implementations):
            devices = backends.devices(name, described.backends)
            manifest = toolchains.build(folder, name, built, config=config.build, devices=devices)
            formats.write(built / f"{name}.json", manifest)
        return Bench(config, described, "check", results=home, scratch=scratch, verbose=verbose)


def _is_built(bench, implementation, device, *, place, tell):
    """Return whether the builds of an implementation succeeded. If a build failed, print the compiler's messages."""
    failed = bench.build_failure(implementation, device)
    if failed is None:
        return True
    tell(f"{place}: {failed.outcome}: {failed.reason}")
    for artifact in bench.artifacts(implementation, device):
        for line in artifact.log.splitlines()[:COMPILERS_LINES]:
            tell(f"    {line}")
    return False


def _check_one(bench, name, device, *, tell):
    """Return whether an implementation is right on a device in every dtype and size that it supports.

    On the host, an implementation that uses threads is checked twice: with one thread and with all threads. Return True
    if the configuration selects no case of the implementation on the device.
    """
    implementation = bench.folder.implementations[name]
    place = f"{name} on {device.name}"
    if not _is_built(bench, implementation, device.name, place=place, tell=tell):
        return False
    template = first_case(bench, name, device.name)
    if template is None:
        tell(f"{place}: the configuration selects none of its cases")
        return True
    available = bench.machine.cpu.available
    counts = sorted({1, available}) if implementation.threads and device.on_host else [template.threads]
    checker = Checker(bench, template, place=place, tell=tell)
    for threads in counts:
        checker.check(threads)
    right, unsupported = checker.outcomes.count("ok"), checker.outcomes.count("unsupported")
    mistakes = len(checker.outcomes) - right - unsupported
    if mistakes:
        tell(f"{place}: {mistakes} {'problem' if mistakes == 1 else 'problems'} wrong, {right} right")
    elif right:
        of = f"{right} problems"
        if counts != [None] and implementation.threads:
            of += f", with {' and '.join(map(str, counts))} thread{'s' if available > 1 else ', the only core'}"
        if checker.repeated:
            of += f"; {checker.repeated} calls to check for race conditions"
        tell(f"{place}: right ({of})")
    else:
        tell(f"{place}: unsupported for all {unsupported} problems, so no result was checked")
    return right > 0 and not mistakes


class Checker:
    """Checks of an implementation on a device. If a worker dies, the next check starts a new worker.

    bench, template  the Bench, and a case of the implementation on the device
    place, tell      text at the beginning of each message, and the function that prints messages
    deadline_s       maximum time of a call in seconds, including compilation

    outcomes  outcome of each problem
    reasons   distinct reasons of failures
    repeated  number of calls that checked for race conditions
    printed   end of the output of the last worker
    """

    def __init__(self, bench, template, *, place, tell, deadline_s=DEADLINE_S):
        self._bench, self._template, self._place, self._tell = bench, template, place, tell
        self._deadline_s, self._runner = deadline_s, None
        self.outcomes, self.reasons, self.repeated, self.printed = [], [], 0, ""

    def check(self, threads):
        """Check every dtype and size. Stop at the first timeout.

        threads  number of threads, or None on a GPU. Unless `threads` is 1, the method also checks for race conditions
        """
        self._template, self._predictor = dataclasses.replace(self._template, threads=threads), Predictor()
        spec = self._bench.folder.spec
        steps = [
            (self._problem(size, dtype), partial(self._compare, seeds=SEEDS if size <= SIZES[-1] else 1))
            for dtype, size in itertools.product(spec.dtypes, spec.tried_sizes(*SIZES, *spec.check_sizes))
        ]
        if threads != 1:
            steps += [(self._racing(dtype), self._race) for dtype in spec.dtypes]
        try:
            for problem, step in steps:
                if not self._ends(problem, step):
                    self._tell(
                        f"{self._place}: the remaining problems are not checked, since each may also reach the timeout"
                    )
                    break
        except Failed as failed:  # the worker does not start
            self._failed(failed, "")
        finally:
            if self._runner:
                self.printed = self._runner.last_words()
                self._runner.close()

    def _failed(self, failed, where):
        """Record a failure. If its reason is one of the first REASONS distinct reasons, print it after `where`."""
        if failed.reason not in self.reasons:
            if len(self.reasons) < REASONS:
                self._tell(f"{self._place}: {where}{failed.outcome}: {failed.reason}")
            self.reasons.append(failed.reason)
        self.outcomes.append(failed.outcome)

    def _problem(self, size, dtype):
        return plan.Problem(self._bench.folder.name, dict(self._bench.folder.spec.options), size, dtype)

    def _racing(self, dtype):
        """Return a problem with at least RACING_WORK for each thread, to check for race conditions.

        If the arrays of this problem exceed RACING_BYTES, return the largest tried problem whose arrays fit. If the
        work does not grow with the size, as in an allocator, return the problem of the largest checked size.
        """
        spec, footprint = self._bench.folder.spec, self._bench.footprint
        work = RACING_WORK * (self._template.threads or RACING_THREADS)
        problem = self._problem(spec.tried_sizes(*SIZES, *spec.check_sizes)[-1], dtype)
        with contextlib.suppress(InputError):  # raised if the kernel refuses a size
            while spec.any_size and footprint.work(problem) < work:
                larger = dataclasses.replace(problem, size=2 * problem.size)
                if footprint.arrays(larger) > RACING_BYTES or footprint.work(larger) == footprint.work(problem):
                    break
                problem = larger
        return problem

    def _ends(self, problem, step):
        """Call step(runner, case) for a problem and record the outcome. Return False if a call reached its deadline."""
        case = dataclasses.replace(self._template, problem=problem)
        shared = self._bench.folder.implementations[case.implementation].threads and (case.threads or 1) > 1
        threads = f", {case.threads} threads" if shared else ""
        where = f"{problem.dtype}, size {problem.size}{threads}: "
        runner = self._runner if self._runner and self._runner.alive else self._bench.start(case, self._deadline_s)
        self._runner = runner
        try:
            work = self._bench.footprint.work(problem)
            predicted = self._predictor.predict(problem.dtype, work) or 0.0
            if predicted > LONGEST_CALL_S:
                self._tell(f"{self._place}: {where}not checked: a call would take about {predicted:.0f} s")
            else:
                self._predictor.saw(problem.dtype, work, min(step(runner, case)))
                self.outcomes.append("ok")
        except InputError as error:  # a function of kernel.py fails at this size
            self._failed(Failed("error", str(error), alive=True), where)
        except Failed as failed:
            self._failed(failed, where)
            return failed.outcome != "timeout"
        finally:
            if runner.alive:
                runner.release(problem)
        return True

    def _compare(self, runner, case, seeds):
        """Check a case with `seeds` random inputs and with exact inputs. Return the time of each call in seconds.

        Raise Failed if a result is wrong.
        """
        seconds = []
        for which in range(seeds + 1):
            with contextlib.closing(self._bench.given(case.problem, which, exact=which == seeds)) as given:
                called = runner.recheck(case, given)[0] if which else runner.begin(case, given)[1]
                seconds.append(called.seconds)
        return seconds

    def _race(self, runner, case):
        """Repeat a call to catch race conditions. Return a list with the time of the first call in seconds."""
        seconds = self._compare(runner, case, seeds=0)
        begin, calls = time.monotonic(), 0
        with contextlib.closing(self._bench.given(case.problem, exact=True)) as exact:
            while calls < RACING_CALLS or time.monotonic() - begin < RACING_S:
                runner.recheck(case, exact)
                calls += 1
                if time.monotonic() - begin > LONGEST_CALL_S:
                    break
        self.repeated += calls
        return seconds


def first_case(bench, name, device):
    """Return an implementation's first case that can run on a device, or None."""
    alone = bench.config.config.model_copy(update={"implementations": (name,), "kernels": None, "devices": ("*",)})
    cases = plan.cases(dataclasses.replace(bench.config, config=alone), bench.machine)
    first = next((c for c in cases if c.implementation == name and c.device == device and c.verdict is None), None)
    return first and with_any_parameters(bench, first)


def with_any_parameters(bench, case):
    """Return `case`. If TUNED_BY names another implementation, the result has the first parameters of that one."""
    sweep = bench.folder.implementations[case.implementation].tuned_by
    if sweep is None:
        return case
    first = first_case(bench, sweep, case.device)
    return dataclasses.replace(case, tuned=first and first.parameters)
