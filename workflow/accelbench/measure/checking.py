"""Correctness only: implementations against their kernel's reference, at the sizes where mistakes live."""

import ast
import contextlib
import dataclasses
import itertools
import logging
import time
from functools import partial
from pathlib import Path

from accelbench import backends, toolchains
from accelbench.errors import InputError
from accelbench.machine.description import describe
from accelbench.measure import plan
from accelbench.measure.coordinator import Run, build_failure
from accelbench.measure.prediction import Predictor
from accelbench.measure.progress import Progress
from accelbench.measure.workers import Failed
from accelbench.store import formats

# None, few, and around what lanes and blocks are made of; the kernel's own check_sizes beside them.
SIZES = (0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 97)
SEEDS = 4  # at these sizes; one at the kernel's own: calls take longer there. The kernel's exact inputs beside them
FOLDER = Path("results", ".check")
DEADLINE_S = 60.0
REASONS, COMPILERS_LINES = 3, 30  # so many are told of an implementation: the first mistake explains most others
RACING_S, RACING_CALLS = 0.5, 20  # a problem large enough for races is repeated for so long, and so many times at least
RACING_WORK = 20_000  # operations or numbers moved by each thread of it, while it fits RACING_BYTES
RACING_BYTES, RACING_THREADS = 64e6, 64  # threads that a GPU is taken to have
KEPT_BYTES = 1e9  # of inputs and results that are kept for the next implementation
LONGEST_CALL_S = 20.0  # a size whose call is predicted to take longer is left out, and said so


def check(config, implementations, tell=print):
    """Check `implementations` (names) of an EffectiveConfig's kernel in every dtype and option default; whether all are
    right.

    `tell(line)` gets one line an implementation and device, and a few of its mistakes. What has to be built is built
    under results/.check, once. An implementation that is unsupported at every size is not right: nothing shows it is.
    Where threads share the work, so many calls of a large problem follow that a race between them comes to light.
    """
    run = ready(config, implementations)
    verdicts = []
    with contextlib.closing(run.verifier), contextlib.closing(Given(run)) as given:
        for name in implementations:
            verdicts += _verdicts(given, name, tell)
    return all(verdicts)


def _verdicts(given, name, tell):
    """Whether an implementation is right, by device; where there is none, whether it compiles and is filled in."""
    implementation = given.run.folder.implementations[name]
    state = given.run.machine.backends[implementation.backend]
    if state.available:
        return [_check_one(given, name, device, tell) for device in state.devices]
    tell(f"{name}: unavailable: {state.reason}")
    missing = _to_be_written(implementation)
    for what in missing:
        tell(f"{name}: not filled in yet: {what}")
    usable = backends.problem(implementation.backend) is None  # its module, which is to be corrected here
    return [_compiles_without_device(given.run, implementation, tell) and not missing and usable]


class Given:
    """The inputs that implementations of a kernel are checked with, each made once."""

    def __init__(self, run):
        self.run, self._shared = run, {}

    def inputs(self, problem, which, exact):
        """Arguments as those of Verifier.given."""
        key = problem.id, which, exact
        if key not in self._shared:
            if sum(shared.nbytes for shared in self._shared.values()) > KEPT_BYTES:
                self.close()  # what a worker has attached stays where it is
            seed = self.run.config.protocol.seed
            self._shared[key] = self.run.verifier.given(self.run.folder, problem, seed, which, exact)
        return self._shared[key]

    def close(self):
        while self._shared:
            self._shared.popitem()[1].close()


def _to_be_written(implementation):
    """What an implementation says is to be done that raises NotImplementedError whatever it is called with."""
    if implementation.path.suffix != ".py":
        return []
    functions = [f for f in ast.walk(ast.parse(implementation.path.read_bytes())) if isinstance(f, ast.FunctionDef)]
    raised = [step.exc for function in functions for step in function.body if isinstance(step, ast.Raise)]
    return [
        " ".join(str(word.value) for word in exc.args if isinstance(word, ast.Constant))
        for exc in raised
        if isinstance(exc, ast.Call) and getattr(exc.func, "id", None) == "NotImplementedError"
    ]


def ready(config, implementations, home=FOLDER, verbose=False):
    """A Run of an EffectiveConfig's kernel on this machine with all that `implementations` (names) need, to look at
    cases one by one."""
    folder = config.kernel
    planned = {*implementations, folder.spec.baseline}
    described = describe("check", config, {folder.implementations[name].backend for name in planned})
    for name in toolchains.needed(folder, implementations):
        devices = backends.devices(name, described.backends)
        manifest = toolchains.build(folder, name, config.build, devices, home / "build" / folder.name)
        formats.write(home / "build" / folder.name / f"{name}.json", manifest)
    log = logging.getLogger("accelbench")
    return Run(config, described, "check", home, Progress(folder.name), log, verbose)


def _compiles_without_device(run, implementation, tell):
    """False where a compiler that needs no device refuses the sources of an implementation that cannot run here."""
    if implementation.toolchain != "cuda":
        return True
    compiles = _is_built(run, implementation, None, implementation.name, tell)
    if compiles:
        tell(f"{implementation.name}: it compiles; whether it is right cannot be seen here")
    return compiles


def _is_built(run, implementation, device, place, tell):
    """Whether what an implementation needs was built; tells what the compilers said where it was not."""
    reason = build_failure(run, implementation, device)
    if reason is None:
        return True
    tell(f"{place}: build_failed: {reason}")
    for artifact in run.manifests[implementation.toolchain].artifacts:
        if artifact.serves(implementation.name, device):
            for line in artifact.log.splitlines()[:COMPILERS_LINES]:
                tell(f"    {line}")
    return False


def _check_one(given, name, device, tell):
    """Whether an implementation is right on a device: every dtype and size, with one thread and with all."""
    run = given.run
    implementation = run.folder.implementations[name]
    place = f"{name} on {device.name}"
    if not _is_built(run, implementation, device.name, place, tell):
        return False
    template = _first_case(run, name, device.name)
    if template is None:
        tell(f"{place}: no case of it is in the configuration")
        return True
    available = run.machine.cpu.available
    counts = sorted({1, available}) if implementation.threads and device.on_host else [template.threads]
    seen = Seen(place, tell)
    for threads in counts:
        Checker(given, dataclasses.replace(template, threads=threads), seen).check()
    if seen.mistakes:
        tell(f"{place}: {seen.mistakes} {'problem' if seen.mistakes == 1 else 'problems'} wrong, {seen.right} right")
    elif seen.right:
        of = f"{seen.right} problems"
        if counts != [None] and implementation.threads:
            of += f", with {' and '.join(map(str, counts))} thread{'s' if available > 1 else ', the only one here'}"
        if seen.repeated:
            of += f"; {seen.repeated} calls for races"
        tell(f"{place}: right ({of})")
    else:
        tell(f"{place}: not right yet: all {seen.unsupported} problems are unsupported")
    return seen.right > 0 and not seen.mistakes


class Seen:
    """What came out of checking an implementation on a device so far: counts of problems, and what was told."""

    def __init__(self, place, tell):
        self.place, self.tell = place, tell
        self.right = self.unsupported = self.mistakes = self.repeated = 0
        self._reasons = set()

    def failed(self, failed, where):
        """Count what Failed `where`, and tell the first few reasons."""
        if failed.reason not in self._reasons and len(self._reasons) < REASONS:
            self.tell(f"{self.place}: {where}{failed.outcome}: {failed.reason}")
        self._reasons.add(failed.reason)
        if failed.outcome == "unsupported":
            self.unsupported += 1
        else:
            self.mistakes += 1


class Checker:
    """One implementation on one device with one number of threads, in a worker that is started anew when it dies."""

    def __init__(self, given, template, seen):
        self.given, self.run, self.template, self.seen = given, given.run, template, seen
        self._predictor, self._worker = Predictor(), None

    def check(self):
        """Every dtype and size, until one does not end; then, where there are several threads, races."""
        spec = self.run.folder.spec
        sizes = sorted({*SIZES, *spec.check_sizes})
        judged = [
            (self._problem(size, dtype), partial(judge, seeds=SEEDS if size <= SIZES[-1] else 1))
            for dtype, size in itertools.product(spec.dtypes, sizes)
        ]
        if self.template.threads != 1:
            judged += [(self._racing(dtype), self._race) for dtype in spec.dtypes]
        try:
            self._start()
            for problem, judge_it in judged:
                if not self._ends(problem, judge_it):
                    self.seen.tell(f"{self.seen.place}: the rest is not tried: each may take as long")
                    break
        except Failed as failed:
            self.seen.failed(failed, "")
        finally:
            self._worker.kill()

    def _start(self):
        self._worker = self.run.start(self.template)
        self._worker.ask("open", self.run.recipe(self.template), timeout=DEADLINE_S)

    def _problem(self, size, dtype):
        return plan.Problem(self.run.folder.name, dict(self.run.folder.spec.options), size, dtype)

    def _racing(self, dtype):
        """A problem with RACING_WORK for every thread, or the largest that fits RACING_BYTES."""
        spec, wanted = self.run.folder.spec, RACING_WORK * (self.template.threads or RACING_THREADS)
        problem = self._problem(max(*SIZES, *spec.check_sizes), dtype)
        with contextlib.suppress(InputError):  # a size that the kernel refuses
            while self.run.amount(problem) < wanted:
                larger = dataclasses.replace(problem, size=2 * problem.size)
                if self.run.held(larger) > RACING_BYTES:
                    break
                problem = larger
        return problem

    def _ends(self, problem, judge_it):
        """Count a problem as right or wrong, by `judge_it(worker, given, case)`; whether it came to an end."""
        case = dataclasses.replace(self.template, problem=problem)
        shared = self.run.folder.implementations[case.implementation].threads and (case.threads or 1) > 1
        threads = f", {case.threads} threads" if shared else ""
        where, amount = f"{problem.dtype}, size {problem.size}{threads}: ", self.run.amount(problem)
        predicted = self._predictor.predict(problem.dtype, amount) or 0.0
        if predicted > LONGEST_CALL_S:
            self.seen.tell(f"{self.seen.place}: {where}not checked: a call would take about {predicted:.0f} s")
            return True
        try:
            seconds = judge_it(self._worker, self.given, case)
            self._predictor.saw(problem.dtype, amount, min(seconds))
            self.seen.right += 1
        except Failed as failed:
            self.seen.failed(failed, where)
            if failed.outcome == "timeout":
                return False
            if not failed.alive:
                self._start()
        return True

    def _race(self, worker, given, case):
        """The same call again and again, of a problem in which each thread has much to do."""
        seconds = judge(worker, given, case, seeds=0, release=False)
        asked, exact = self.run.verifier.asked, given.inputs(case.problem, 0, exact=True)
        begin, calls = time.monotonic(), 0
        while calls < RACING_CALLS or time.monotonic() - begin < RACING_S:
            asked(worker, exact, "recheck", "checked", "case", timeout=DEADLINE_S)
            calls += 1
            if time.monotonic() - begin > LONGEST_CALL_S:
                break
        worker.ask("release", "checked", timeout=DEADLINE_S)
        self.seen.repeated += calls
        return seconds


def judge(worker, given, case, seeds, release=True):
    """Run a case's problem with `seeds` random inputs and with exact ones; seconds of each call. Failed where one is
    wrong."""
    seconds = []
    for which in range(seeds + 1):
        inputs = given.inputs(case.problem, which, exact=which == seeds)
        if which == 0:
            worker.ask("load", "checked", inputs.message, timeout=DEADLINE_S)
            worker.ask("prepare", "checked", "case", given.run.description(case, case.problem), timeout=DEADLINE_S)
        else:
            worker.ask("refill", "checked", inputs.message, timeout=DEADLINE_S)
        step = "first_call" if which == 0 else "recheck"
        answer = given.run.verifier.asked(worker, inputs, step, "checked", "case", timeout=DEADLINE_S)
        seconds.append(answer["first_call_s"])
    if release:
        worker.ask("release", "checked", timeout=DEADLINE_S)
    return seconds


def _first_case(run, name, device):
    alone = run.config.config.model_copy(update={"implementations": (name,), "kernels": None, "devices": ("*",)})
    found = plan.cases(dataclasses.replace(run.config, config=alone), run.machine)
    first = next((c for c in found if c.implementation == name and c.device == device and c.verdict is None), None)
    return first and with_any_parameters(run, first)


def with_any_parameters(run, case):
    """A case that is tuned by a sweep with the first parameters of that: where there was none, any are right."""
    sweep = run.folder.implementations[case.implementation].tuned_by
    if sweep is None:
        return case
    first = _first_case(run, sweep, case.device)
    return dataclasses.replace(case, tuned=first and first.parameters)
