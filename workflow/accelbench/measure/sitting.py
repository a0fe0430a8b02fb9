"""A sitting: cases measured side by side, once, in fresh processes - the heart of the method (docs/method.md).

Order of events: every worker starts (alone, where that is measured; else several side by side); every case's first
call is checked, problems in ascending order, so that the next size can be predicted (problems too large to be kept in
memory: at their first visit); then the problems are visited in several passes, in random order. In a visit, rounds:
each live case is sampled once, in random order, with the reference cases among them. On its last visit every problem
is checked again with changed inputs, and handed over to be written down.
"""

import contextlib
import dataclasses
import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from accelbench import nvidia, statistics
from accelbench.machine import room
from accelbench.measure import energy, environment
from accelbench.measure.workers import Failed
from accelbench.verify.comparison import closeness

PRIMARY = ("call", "end_to_end", "end_to_end_pinned")
ROUNDS_A_PASS = 10_000  # rounds are numbered from a multiple of this in each pass
SHARE_OF_COMPUTE = {True: 0.2, False: 0.03}  # of compute's time, what a kind of time that is PRIMARY (or not) may take
OTHER_KINDS = 64  # beside that, another kind may take this part of the budget
LAUNCH_SAMPLES = 10  # at least, in turns of their own, where what is launched in one of them ends within SHORT_S
SHORT_S = 0.005
WATCH_EVERY = 16  # samples after which the reference cases take part in a round
PRIMED_LOOPS = 50  # up to this many loops, one untimed call brings the case's data back into the caches first
REFILL_SHARE = 0.03  # unless bringing them back takes less than this share of the sample
TRIAL_CALLS, TRIAL_GAIN = 8, 0.8  # a smaller problem is called again while each call takes less than this of the last
DOUBT = 8  # a call predicted to take up to so many times max_call_s is tried, unless it would be long
LONG_CALLS = 3  # calls of a case whose single call is long, in all
FEWEST_SAMPLES = 3  # however small the budget
NOISE = 0.03  # a shift of the reference cases by more than this marks a problem noisy
DEADLINE_FACTOR = 4
CHANGES, CHANGES_S = 8, 1.0  # pairs of calls, after a change of the inputs and after none; timed where they fit that
KEEPS_RESULTS, KEEPS_S = 2.0, 2e-6  # a change is noticed by a call that takes so many times as long, and so much longer
CHECKING = "checking"  # what checking after the samples is called among the steps of a run
NOTICED, CONFIRMED = 7, 2  # in so many pairs, so many times: a busy machine makes some calls slow


@dataclasses.dataclass(eq=False)
class Live:
    """What a sitting knows of one case so far."""

    case: object
    amount: float  # of work, as prediction understands it
    refill_s: float  # to bring its working set back into the caches, 0 where it does not fit them
    startup: dict = dataclasses.field(default_factory=dict)
    error: dict = dataclasses.field(default_factory=dict)
    samples: dict = dataclasses.field(default_factory=dict)
    rounds: dict = dataclasses.field(default_factory=dict)
    loops: dict = dataclasses.field(default_factory=dict)
    call_s: float = 0.0
    long: bool = False
    spent_s: float = 0.0
    failure: dict | None = None
    facts: dict = dataclasses.field(default_factory=dict)  # registers, occupancy, ... of its kernel on a device
    energy_j: float | None = None
    cores_used: float | None = None
    inputs_replaced: bool | None = None  # whether they were checked with others, as no change of a few elements shows
    converged: bool = False
    flushes: bool = False  # whether its worker takes subnormal numbers for 0
    noise: float | None = None  # the largest shift of a reference case meanwhile
    rooms: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)

    def take(self, kind, seconds, turn):
        self.samples.setdefault(kind, []).append(seconds)
        self.rounds.setdefault(kind, []).append(turn)
        if kind == "compute":
            self.spent_s += seconds * self.loops[kind]


class Sitting:
    """One sitting of `lives`. `run` is the Run they belong to; `finished(problem, lives)` is called once a problem.

    kept    the problems whose arrays stay where they are between visits; others are loaded anew for each
    alone   whether one worker starts at a time, so that what starting costs can be recorded
    """

    def __init__(self, run, name, lives, kept, references, finished, alone):
        self.run, self.name, self.kept, self.finished, self.alone = run, name, kept, finished, alone
        self.protocol = run.config.protocol
        self.random = random.Random(f"{self.protocol.seed} {name}")
        self.problems = {}
        for live in lives:
            self.problems.setdefault(live.case.problem.id, []).append(live)
        self.references = references
        self._reference_samples = {problem: {} for problem in self.problems}
        self._rooms = {}
        self._pool = ThreadPoolExecutor(run.machine.cpu.available)
        self._workers, self._startup = {}, {}
        self._comparing_s = []  # of each comparison since steps side by side began
        self._shared = {}

    def measure(self):
        """Run the sitting to its end; the workers are gone afterwards, whatever happened."""
        ascending = sorted(self.problems, key=lambda p: self.problems[p][0].amount)
        try:
            for problem in ascending:
                if problem in self.kept:
                    self._begin(problem)
            for number in range(self.protocol.passes):
                order = list(self.problems)
                self.random.shuffle(order)
                for problem in order:
                    self._visit(problem, number)
                    if number == self.protocol.passes - 1:
                        self._finish(problem)
                    else:
                        self._leave(problem)
        finally:
            for worker in self._workers.values():
                worker.kill()
            for shared in self._shared.values():
                shared.close()
            self._pool.shutdown()

    # a case's steps

    def _begin(self, problem):
        """Every case of a problem: start its worker, predict, prepare, check the first call, time the second."""
        lives = self.problems[problem]
        if not self.alone:
            self._side_by_side(lambda live: self._worker(live.case), lives)
        promising = [live for live in lives if live.failure is None and self._worth_trying(live)]
        if promising and not self.alone:
            try:
                self._inputs(promising[0].case.problem)
            except Failed as failed:
                self._fail_all(promising, failed)
            else:
                self._side_by_side(self._ready, promising)
        for live in promising:
            if live.failure is None:
                self._first(live)

    def _first(self, live):
        try:
            self._ready(live)
            if live.case.device != "cpu":
                live.facts = self._ask(live.case, 0.0, "launch_facts", live.case.id) or {}
            self._second(live)
            self.run.log.debug(f"{live.case.id}: first call {live.call_s:.3g} s, error {live.error['max_error']:.3g}")
        except Failed as failed:
            self._fail(live, failed)

    def _side_by_side(self, step, lives, name="side by side"):
        """Do an untimed step of several cases on all cores, those of one worker one after the other."""
        queues = {}
        for live in lives:
            queues.setdefault(live.case.worker, []).append(live)

        def work(queue):
            for live in queue:
                try:
                    step(live)
                except Failed as failed:
                    self._fail(live, failed)

        self._comparing_s.clear()
        with self.run.step(name):
            list(self._pool.map(work, queues.values()))
        comparing_s = sum(self._comparing_s) / max(1, min(len(queues), self.run.machine.cpu.available))
        self.run.steps_s.update({name: -comparing_s, "compare": comparing_s})

    def _second(self, live):
        """A second call: how long one takes without first-time costs. Where that is long, both are samples already."""
        first, live.loops = live.call_s, {"compute": 1}
        live.call_s = self._ask(live.case, first, "sample", live.case.id, live.loops, [], False)["compute"]
        if self.protocol.max_call_s < live.call_s <= self.protocol.long_call_s:
            # Memory touched for the first time can make a call many times slower than the next one is.
            again = self._ask(live.case, first, "sample", live.case.id, live.loops, [], False)["compute"]
            live.call_s = min(live.call_s, again)
            if live.call_s > self.protocol.max_call_s and self.run.is_new(live.case):
                live.failure = self._too_slow(live.call_s, "takes")
        self.run.predictor.saw(self.what(live.case), live.amount, live.call_s)
        live.long = live.call_s > self.protocol.long_call_s
        if live.long:
            for seconds in (first, live.call_s)[0 if self.alone else 1 :]:
                live.take("compute", seconds, 0)
                self.run.in_samples_s += seconds
        else:
            live.loops = {}

    def _worth_trying(self, live):
        """Whether a single call may stay within max_call_s; else the case is too_slow, or has failed.

        What an earlier process measured is not judged again. Up to DOUBT times the limit a prediction is not believed,
        for it takes what is the same at all sizes, such as waking threads, to grow: the calls themselves will tell.
        """
        what = self.what(live.case)
        limit = self.protocol.max_call_s
        while (amount := self.run.predictor.trial(what, live.amount, limit)) is not None:
            problem = self.run.smaller(live.case.problem, amount)
            cost = self.run.amount(problem)
            if cost >= live.amount or self.run.predictor.knows(what, cost):
                break
            try:
                self.run.predictor.saw(what, cost, self._trial(live.case, problem))
            except Failed as failed:
                self._fail(live, failed)
                return False
        predicted = self.run.predictor.predict(what, live.amount)
        hopeless = max(limit, min(DOUBT * limit, self.protocol.long_call_s))
        if predicted is not None and predicted > hopeless and self.run.is_new(live.case):
            live.failure = self._too_slow(predicted, "is predicted to take")
            return False
        live.call_s = predicted or 0.0
        return True

    def _too_slow(self, seconds, what):
        reason = f"one call {what} {seconds:.3g} s, the limit max_call_s is {self.protocol.max_call_s:g} s"
        return {"outcome": "too_slow", "reason": reason, "predicted_s": seconds}

    def _trial(self, case, problem):
        """Seconds of one call of a smaller problem, the best of two, or of more while they become much faster: starting
        threads, or memory touched for the first time, says nothing of larger problems."""
        self._worker(case)
        shared = self._make_inputs(problem, which=0)
        try:
            self._ask(case, 0.0, "load", "trial", shared.message)
            self._ask(case, 0.0, "prepare", "trial", "trial", self.run.description(case, problem))
            calls = []
            while len(calls) < 2 or (len(calls) < TRIAL_CALLS and calls[-1] <= TRIAL_GAIN * calls[-2]):
                answer = self._ask(case, 0.0, "first_call", "trial", "trial", buffer_bytes=shared.result_bytes)
                self.run.verifier.compare(shared, answer)
                calls.append(answer["first_call_s"])
            self._ask(case, 0.0, "release", "trial")
        except Failed as failed:
            where = f"at size {problem.size}, tried first: "
            raise Failed(failed.outcome, where + failed.reason, failed.alive) from failed
        finally:
            shared.close()
        return min(calls)

    def _ready(self, live, warm=False):
        """Have the case's worker running, its problem loaded, its parameters prepared, checked once, and warm."""
        case = live.case
        worker = self._worker(case)
        if self.alone:
            live.startup |= {k: v for k, v in self._startup[case.worker].items() if k in ("import_s", "context_s")}
        given = self._inputs(case.problem)
        if case.problem.id not in worker.loaded:
            self._ask(case, live.call_s, "load", case.problem.id, given.message)
            worker.loaded.add(case.problem.id)
        if case.id not in worker.prepared:
            description = self.run.description(case, case.problem)
            told = self._ask(case, live.call_s, "prepare", case.problem.id, case.id, description)
            if not live.error:
                live.call_s = self._checked(live, given, "first_call")["first_call_s"]
                if self.alone:
                    live.startup |= told | {"first_call_s": live.call_s}
            worker.prepared.add(case.id)
        if warm and not live.long and case.id not in worker.warm:
            found = self._ask(case, live.call_s, "warm_up", case.id, self.run.warm_up_settings(live))
            live.loops = live.loops or {kind: loops for kind, (_, loops) in found.items()}
            live.call_s = found["compute"][0]
            self.run.predictor.saw(self.what(case), live.amount, live.call_s)
            worker.warm.add(case.id)

    def _sample(self, live, turn):
        """One turn of a case: one untimed call where that matters, then one sample of each kind of time due."""
        if live.long:
            self._long_call(live, turn)
            return
        loops = {k: n for k, n in live.loops.items() if k == "compute" or self._due(live, k, turn)}
        primed = [k for k, n in loops.items() if live.refill_s > REFILL_SHARE * n * live.call_s and n <= PRIMED_LOOPS]
        longest = live.call_s * max(loops.values())
        cold = self.protocol.cache == "cold"
        for kind, seconds in self._ask(live.case, longest, "sample", live.case.id, loops, primed, cold).items():
            live.take(kind, seconds, turn)
            self.run.in_samples_s += seconds * loops[kind]

    def _long_call(self, live, turn):
        """A sample of one call with changed inputs, whose result is checked."""
        given = self._inputs(live.case.problem)
        changes = self._change(given)
        live.inputs_replaced = changes is None
        seconds = self._checked(live, given, "changed", changes or {}, 0, changed=changes is not None)["seconds"]
        live.take("compute", seconds, turn)
        self.run.in_samples_s += seconds

    def _due(self, live, kind, turn):
        """Whether a kind of time beside `compute` is sampled in this turn.

        In the first round of all always; then as long as it takes no more than its share of compute's time. (Once a
        pass would be most of the time for large transfers, and say no more.) Launching is sampled often enough for its
        median to survive an interruption.
        """
        if turn == 1:
            return True
        taken = live.samples.get(kind, ())
        if kind == "launch" and len(taken) < LAUNCH_SAMPLES and live.loops[kind] * live.call_s <= SHORT_S:
            return True
        spent = live.loops[kind] * sum(taken)
        compute = live.loops["compute"] * sum(live.samples["compute"])
        return spent <= SHARE_OF_COMPUTE[kind in PRIMARY] * compute + self.protocol.budget_s / OTHER_KINDS

    # a problem's visits

    def _visit(self, problem, number):
        """Sample a problem's cases in rounds until each has its share of this pass."""
        before = room.snapshot()
        if problem not in self.kept and number == 0:
            self._begin(problem)
        active = []
        for live in self.problems[problem]:
            if live.failure is None and not (live.long and len(live.samples["compute"]) >= LONG_CALLS):
                try:
                    self._ready(live, warm=True)
                    active.append(live)
                except Failed as failed:
                    self._fail(live, failed)
        start = {live: (len(live.samples.get("compute", ())), live.spent_s) for live in active}
        turn, unwatched = number * ROUNDS_A_PASS, 0
        while active:
            turn += 1
            unwatched += len(active)
            watch = unwatched >= WATCH_EVERY and not all(live.long for live in active)
            unwatched = 0 if watch else unwatched
            order = [*active, *(r for r in self.references if r.loops and watch)]
            self.random.shuffle(order)
            for item in order:
                if isinstance(item, Reference):
                    with self.run.step("reference"):
                        item.sample(self._reference_samples[problem])
                    continue
                try:
                    self._ready(item, warm=True)
                    self._sample(item, turn)
                except Failed as failed:
                    self._fail(item, failed)
            active = [live for live in active if live.failure is None and not self._enough(live, number, *start[live])]
            self.run.progress.tick()
        self._rooms.setdefault(problem, []).append(room.difference(before, room.snapshot()))

    def _enough(self, live, number, samples_before, spent_before):
        """Whether a case has had its share of samples in pass `number` (counted from 0)."""
        protocol, samples = self.protocol, live.samples["compute"]
        if live.long:
            return len(samples) > samples_before
        here = len(samples) - samples_before
        least = math.ceil(protocol.min_samples / protocol.passes)
        if live.spent_s - spent_before >= protocol.budget_s / protocol.passes:
            return here >= math.ceil(FEWEST_SAMPLES / protocol.passes)
        return here >= least and self._converged(live)

    def _converged(self, live):
        precise = self.run.precision(live.case)
        return statistics.half_width(live.samples["compute"]) <= precise

    def _finish(self, problem):
        """Have energy counted and results checked again, then hand the problem over."""
        lives = self.problems[problem]
        for live in lives:
            if live.failure is None:
                self._count_cores(live)
            if live.failure is None and not live.long:
                self._count_energy(live)
        self._check_again([live for live in lives if live.failure is None and not live.long])
        for live in lives:
            live.converged = live.failure is None and self._converged(live)
            live.noise = self._noise(problem)
            live.rooms = self._rooms.get(problem, [])
            live.environment = dict(self._startup.get(live.case.worker, {}).get("environment", {}))
            if live.flushes:
                live.environment["flush_to_zero"] = True
        self._leave(problem)
        self.finished(problem, lives)

    def _count_cores(self, live):
        """Ask how many cores its samples used, where its worker is the one that took them."""
        worker = self._workers.get(live.case.worker)
        if worker and live.case.id in worker.prepared:
            try:
                live.cores_used = self._ask(live.case, 0.0, "cores_used", live.case.id)
            except Failed as failed:
                self._fail(live, failed)

    def _count_energy(self, live):
        gpu = self._startup.get(live.case.worker, {}).get("gpu")
        if gpu is None or not self.run.is_new(live.case):
            return

        def burst(first):
            return self._ask(live.case, live.call_s, "run_on", live.case.id, energy.BURST_S, first)

        try:
            self._ready(live, warm=True)
            with self.run.step("energy"):
                live.energy_j = energy.per_call(partial(nvidia.energy_j, gpu), burst, self.protocol.energy_s)
        except Failed as failed:
            self._fail(live, failed)

    def _check_again(self, lives):
        """Check cases of one problem with changed inputs; those that no process has measured yet, and all where no
        change is to be had, with other inputs as well."""
        if not lives:
            return
        problem = lives[0].case.problem
        try:
            given = self._inputs(problem)
            changes = self._change(given)
            for live in lives:
                live.inputs_replaced = changes is None
            fresh = [live for live in lives if changes is None or self.run.is_new(live.case)]
            other = self._make_inputs(problem, which=1, exact=True) if fresh else None
        except Failed as failed:
            self._fail_all(lives, failed)
            return
        if changes is not None:
            self._side_by_side(lambda live: self._check_changed(live, given, changes), lives, CHECKING)
        if other is not None:
            again = [live for live in fresh if live.failure is None]
            self._side_by_side(lambda live: self._recheck(live, other), again, CHECKING)
            other.close()

    def _check_changed(self, live, given, changes):
        """Check a case with changed inputs; Failed where it took notice of the change although it need not."""
        self._ready(live)
        timed = self.run.is_new(live.case) and 2 * CHANGES * live.call_s <= CHANGES_S
        for _ in range(CONFIRMED):
            answer = self._checked(live, given, "changed", changes, CHANGES if timed else 0, changed=True)
            pairs = list(zip(answer["after_change_s"], answer["unchanged_s"], strict=True))
            if sum(after > KEEPS_RESULTS * other and after - other > KEEPS_S for after, other in pairs) < NOTICED:
                return
        after, other = map(statistics.median, zip(*pairs, strict=True))
        what = f"a call takes {after:.3g} s after a change of the inputs, {other:.3g} s after none"
        raise Failed("wrong_result", f"{what}: it keeps results", alive=True)

    def _recheck(self, live, other):
        """Check a case again with other inputs."""
        problem = live.case.problem.id
        self._ready(live)
        worker = self._worker(live.case)
        if problem not in worker.refilled:
            self._ask(live.case, live.call_s, "refill", problem, other.message)
            worker.refilled.add(problem)
        self._checked(live, other, "recheck")

    def _checked(self, live, given, name, *arguments, changed=False):
        """A worker's answer to a question for results, which are compared: the error nearest to its bound is kept."""
        case = live.case
        answer = self._ask(
            case, live.call_s, name, case.problem.id, case.id, *arguments, buffer_bytes=given.result_bytes
        )
        begin = time.perf_counter()
        with self.run.step("compare"):
            found = self.run.verifier.compare(given, answer, changed)
        self._comparing_s.append(time.perf_counter() - begin)
        errors = [error for error in (live.error, found) if error]
        live.error = max(errors, key=lambda error: closeness(error["max_error"], error["tolerance"]))
        live.flushes |= answer.get("flush_to_zero", False)
        return answer

    def _leave(self, problem):
        """Free a problem's arrays unless there is room for them to the end."""
        if problem in self.kept:
            return
        lives = self.problems[problem]
        cases = {live.case.id for live in lives}
        for live in lives:
            worker = self._workers.get(live.case.worker)
            if worker and problem in worker.loaded:
                with contextlib.suppress(Failed):
                    self._ask(live.case, 0.0, "release", problem)
                worker.loaded.discard(problem)
                worker.prepared -= cases
                worker.warm -= cases
        if problem in self._shared:
            self._shared.pop(problem).close()

    def _noise(self, problem):
        """The largest shift of a reference case between the first and the second half of its samples, or None."""
        shifts = []
        for samples in self._reference_samples[problem].values():
            half = len(samples) // 2
            if half >= 3:
                shifts.append(abs(statistics.median(samples[half:]) / statistics.median(samples[:half]) - 1))
        return max(shifts, default=None)

    # workers and inputs

    def _worker(self, case):
        key = case.worker
        if key not in self._workers:
            worker = self.run.start(case)
            self._workers[key] = worker
            try:
                begin = time.perf_counter()
                told = self._ask(case, 0.0, "open", self.run.recipe(case))
                pools = self._ask(case, 0.0, "environment")
                told["environment"] = {"variables": environment.recorded(worker.variables), **pools}
                self._startup.setdefault(key, told)
                self.run.log.debug(f"worker {key}: ready in {time.perf_counter() - begin:.3g} s")
            except Failed:
                self._drop(key)
                raise
        return self._workers[key]

    def _ask(self, case, predicted_s, name, *arguments, buffer_bytes=0):
        """Ask the case's worker; a worker that died or hung is forgotten, to be started anew when next needed."""
        deadline = self.protocol.timeout_s + DEADLINE_FACTOR * predicted_s
        with self.run.step(name):
            try:
                return self._workers[case.worker].ask(name, *arguments, timeout=deadline, buffer_bytes=buffer_bytes)
            except Failed as failed:
                if not failed.alive or failed.outcome == "out_of_memory":  # what it holds, others may need
                    self._drop(case.worker)
                raise

    def _drop(self, key):
        worker = self._workers.pop(key, None)
        if worker is not None:
            worker.kill()

    def _fail_all(self, lives, failed):
        for live in lives:
            self._fail(live, failed)

    def _fail(self, live, failed):
        live.failure = {"outcome": failed.outcome, "reason": failed.reason}
        if failed.outcome == "timeout":
            live.failure["timeout_s"] = self.protocol.timeout_s
        self.run.log.info(f"{live.case.id}: {failed.outcome}: {failed.reason}")

    def _inputs(self, problem):
        if problem.id not in self._shared:
            self._shared[problem.id] = self._make_inputs(problem, which=0)
        return self._shared[problem.id]

    def _make_inputs(self, problem, which, exact=False):
        with self.run.step("inputs"):
            return self.run.verifier.given(self.run.folder, problem, self.protocol.seed, which, exact)

    def _change(self, given):
        with self.run.step("inputs"):
            return self.run.verifier.change(given)

    @staticmethod
    def what(case):
        """What a prediction carries over between: everything but the size."""
        return case.worker, case.dtype, str(case.options), str(case.parameters)


class Reference:
    """A fixed case sampled in every round, whose only purpose is to notice when the machine changes."""

    def __init__(self, name, worker, loops):
        self.name, self.worker, self.loops = name, worker, loops

    def sample(self, samples):
        """Append one sample to samples[name]; a reference that died stays silent."""
        try:
            taken = self.worker.ask("sample", "reference", self.loops, [], False, timeout=60)
        except Failed:
            self.loops = None
        if self.loops:
            samples.setdefault(self.name, []).append(taken["compute"])
