"""Stand-ins for a Bench and its workers, for tests of the number and order of a repetition's requests to workers."""

import random
from dataclasses import dataclass, field
from types import SimpleNamespace

from accelbench import config
from accelbench.measure.case_runner import ONE_CALL
from accelbench.measure.footprint import Group
from accelbench.measure.plan import PlannedCase, Problem
from accelbench.measure.prediction import Predictor
from accelbench.measure.repetition import Repetition
from accelbench.measure.steps import Steps
from accelbench.rpc.messages import CallResult, ChangedCallResult, ErrorMetrics, InputChange, Opened, SampleFacts

ON_HOST = {"compute": 1e-4}
MOVING = dict.fromkeys(("end_to_end", "upload", "download"), 1e-3)
ON_DEVICE = {"compute": 1e-4, "throughput": 1e-4, "call": 1e-4, "launch": 1e-5, **MOVING}
PROBLEM = Problem("doubling", {}, 1000, "float64")


def case(implementation, device="cpu", *, problem=PROBLEM, **parameters):
    backend = implementation.partition("_")[0]
    return PlannedCase(problem, implementation, backend, device, 1 if device == "cpu" else None, parameters)


@dataclass(eq=False)
class Runner:
    """Stand-in for a CaseRunner.

    The Bench's list `asked` contains the requests warm_up, sample and run_on as (request, case id, kinds of time).
    """

    bench: "Pretended"
    implementation: str
    alive: bool = True
    prepared: dict = field(default_factory=dict)
    warm: set = field(default_factory=set)

    def end(self):
        pass

    @property
    def opened(self):
        return Opened(0.0, 0.0, self.bench.gpu, self.implementation in self.bench.converting)

    def environment(self):
        return {}

    def load(self, problem, given, predicted_s=0.0):
        pass

    def prepare(self, case, predicted_s=0.0):
        self.prepared[case.id] = case.problem.id
        return 0.0

    def first_call(self, case, given, predicted_s=0.0):
        return CallResult(self.bench.seconds(case)["compute"], False, {}, None), ErrorMetrics(0.0, 1.0, {})

    recheck = first_call

    def changed(self, case, given, change, *, rows=ONE_CALL, predicted_s=0.0):
        seconds, slow = self.bench.seconds(case)["compute"], self.bench.slow_after_changes.get(case.implementation, 0)
        self.bench.slow_after_changes[case.implementation] = slow - 1
        pairs = [(seconds + (0.05 if slow > 0 else 0.0), seconds)] * rows.pairs
        return ChangedCallResult(seconds, False, {}, None, pairs, []), ErrorMetrics(0.0, 1.0, {})

    def warm_up(self, case, settings, predicted_s=0.0):
        self.warm.add(case.id)
        kinds = [kind for kind in self.bench.seconds(case) if kind == "compute" or kind not in settings["known"]]
        self.bench.asked.append(("warm_up", case.id, kinds))
        return {kind: (self.bench.seconds(case)[kind], self.bench.loops(kind)) for kind in kinds}

    def sample(self, case, loops, *, primed=(), cold=False, predicted_s=0.0):
        self.bench.asked.append(("sample", case.id, list(loops)))
        return {kind: self.bench.seconds(case)[kind] * self.bench.random.lognormvariate(0, 1e-3) for kind in loops}

    def ask(self, name, case, predicted_s=0.0, **arguments):
        if name != "run_on":
            return SampleFacts(cores_used=None) if name == "facts_of_samples" else None
        self.bench.asked.append((name, case.id, []))
        return 0.0, arguments["seconds"], 1

    def release(self, problem):
        pass


class Pretended:
    """Stand-in for a Bench of one kernel.

    times       {implementation: {kind of time: seconds}}, default: ON_HOST or ON_DEVICE
    converting  implementations that convert their inputs
    gpu         the GPU that workers report
    slow_after_changes  {implementation: number of checks in which calls are slow after a change of the inputs}
    """

    def __init__(self, *, times=None, converting=(), gpu=None, slow_after_changes=None, **protocol):
        self.config = config.parse({"protocol": protocol})
        self.times, self.converting, self.gpu, self.asked = times or {}, converting, gpu, []
        self.steps, self.predictor, self.repetitions = Steps(), Predictor(), self.config.protocol.repetitions
        self.random, self.slow_after_changes = random.Random(1), slow_after_changes or {}
        self.progress, self.artifacts = SimpleNamespace(tick=lambda: None), lambda *case: []
        self.machine = SimpleNamespace(cpu=SimpleNamespace(available=1))
        self.verifier = SimpleNamespace(change=lambda given: InputChange(*[{"x": ([0], [1.0])}] * 2))
        self.footprint = SimpleNamespace(work=lambda problem: problem.size, refill_s=lambda case: 0.0)

    def seconds(self, case):
        return self.times.get(case.implementation, ON_HOST if case.device == "cpu" else ON_DEVICE)

    def loops(self, kind):
        return 40 if kind == "compute" else 1

    def device(self, case):
        return SimpleNamespace(on_host=case.device == "cpu")

    def start(self, case):
        return Runner(self, case.implementation)

    def given(self, problem, which=0, exact=False):
        return SimpleNamespace(close=lambda: None)

    def warm_up_settings(self, case, loops=None, is_measured=lambda kind: True):
        return {"known": [kind for kind in self.seconds(case) if kind in (loops or ()) or not is_measured(kind)]}

    def measure(self, cases, number=1, watch=None):
        """Measure a repetition and return {case id: JournalEntry}. A later call uses the results of earlier calls."""
        entries = {}

        def finished(problem, lives, watched):
            for live in lives:
                entry = live.entry("key", repetition=f"r{number}", number=number, run="r")
                entries[live.case.id] = entry
                if entry.outcome == "ok":
                    self.predictor.remember(live.case, entry.result)

        nothing = SimpleNamespace(begin=lambda cases: ([], []), watched=lambda problem, repetition: None)
        group = Group(list(cases), {each.problem.id for each in cases})
        watch = watch or nothing
        Repetition(self, f"r{number}", group, serial=False, watch=watch, finished=finished).measure()
        return entries
