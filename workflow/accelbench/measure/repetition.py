"""A repetition: cases measured side by side, once, in fresh processes (docs/method.md).

1. Workers start side by side. If start-up is measured, the first one of a backend on a device starts alone.
2. The first call of every case is checked. Problems come in ascending order, so that the next size can be predicted.
   Problems too large to stay in memory come when they are sampled.
3. Problems are sampled in random order. In a round each case that takes part is sampled once, in random order, with the
   reference cases among them. The number of rounds of a case is planned, and all cases end together.
4. Each problem is checked again with changed inputs, and handed over to be journaled.
"""

import contextlib
import logging
import math
import random
from dataclasses import replace
from functools import partial

from accelbench import nvidia, statistics
from accelbench.machine import system_state
from accelbench.measure import energy
from accelbench.measure.case_state import CaseState, carrier, first_of_workers, lives
from accelbench.measure.plan import Verdict
from accelbench.measure.rounds import WATCH_SAMPLES, planned
from accelbench.measure.workers import Workers
from accelbench.model.device import LaunchFacts
from accelbench.rpc.process import Failed

TRIAL_CALLS, TRIAL_GAIN = 8, 0.8  # Maximum calls of a smaller problem, while each takes less than this of the last one
PREDICTION_SLACK = 8  # A call predicted to take up to so many times max_call_s is tried, unless it would be long
CHECKING = "checking"  # Name of the step after the samples

log = logging.getLogger("accelbench")


class Repetition:
    """One repetition of a Group of cases on a Bench.

    name        name of the repetition; with the protocol's seed it decides the random order
    serial      whether start-up is measured. The first worker of a backend on a device then starts alone. Each worker's
                first case makes its first call alone: the first case of the smallest problem of each dtype, since
                others find its code compiled
    watch       the ReferenceSampler
    finished    finished(problem, lives, watched), called once for each problem
    """

    def __init__(self, bench, name, group, *, serial, watch, finished):
        self._bench, self._resident, self._predictor = bench, group.resident, bench.predictor
        self._name, self._watch, self._finished = name, watch, finished
        self._protocol, self._footprint, self._step = bench.config.protocol, bench.footprint, bench.steps.step
        self._random = random.Random(f"{self._protocol.seed} {name}")
        self._problems = {}
        for live in lives(bench, group.cases):
            self._problems.setdefault(live.case.problem.id, []).append(live)
        self._states = {problem: [] for problem in self._problems}
        self._serial = first_of_workers(self._problems.values()) if serial else set()
        self._workers, self._given = Workers(bench), {}
        self._opened_alone = {}  # {place of a case: start-up costs of its first worker}

    def measure(self):
        """Measure all cases; the workers end with it in any case."""
        ascending = sorted(self._problems, key=lambda p: self._problems[p][0].work)
        try:
            for problem in ascending:
                if problem in self._resident:
                    self._begin(problem)
            order = list(self._problems)
            self._random.shuffle(order)
            for problem in order:
                self._sample_in_rounds(problem)
                self._finish(problem)
        finally:
            self._workers.end()
            for given in self._given.values():
                given.close()

    # a case's steps

    def _begin(self, problem):
        """Start, predict and prepare every case of a problem, check its first call and time the second."""
        lives = self._problems[problem]
        alone = [live for live in lives if live.case.id in self._serial]
        for live in alone:
            if live.case.where not in self._opened_alone:
                self._attempt(live, self._open_alone)
        self._side_by_side(lambda live: self._workers.runner(live.case), [live for live in lives if live.runs])
        for live in alone:
            if live.runs and self._worth_trying(live):
                self._attempt(live, self._first)
        others = [live for live in lives if live not in alone]
        promising = [live for live in others if live.runs and self._worth_trying(live)]
        if promising:
            try:
                self._inputs(promising[0].case.problem)
            except Failed as failed:
                self._fail_all(promising, failed)
            else:
                self._side_by_side(self._begin_beside_others, promising)
        for live in promising:
            if live.runs and not live.trusted:
                self._attempt(live, self._first)

    def _open_alone(self, live):
        """Start the first worker of a backend on a device, and take the costs of import and context from it."""
        self._workers.runner(live.case)
        opened, _ = self._workers.opened[live.case.worker]
        self._opened_alone[live.case.where] = {"import_s": opened.import_s, "context_s": opened.context_s}

    def _begin_beside_others(self, live):
        """Make a case ready, and warm if an earlier repetition knows its loops."""
        self._ready(live, warm=live.is_known)
        if live.is_known:
            live.call_s = live.known.call_s

    def _first(self, live):
        runner = self._ready(live)
        if live.case.device != "cpu":
            live.facts = runner.launch_facts(live.case) or LaunchFacts()
        if not live.is_known:
            self._second(runner, live)
        log.debug(f"{live.case.id}: first call {live.call_s:.3g} s, error {live.errors.max_error:.3g}")

    def _second(self, runner, live):
        """Time a second call, without first-time costs. If it is long, both calls are samples."""
        first, live.loops, protocol = live.call_s, {"compute": 1}, self._protocol
        once = partial(runner.sample, live.case, live.loops, predicted_s=first)
        live.call_s = once()["compute"]
        if protocol.max_call_s < live.call_s <= protocol.long_call_s:
            # Memory touched for the first time can make a call many times slower than the next one is.
            live.call_s = min(live.call_s, once()["compute"])
            if live.call_s > protocol.max_call_s and live.is_new:
                live.too_slow(live.call_s, "takes")
        self._predictor.saw(live.case.predicted, live.work, live.call_s)
        live.long = live.call_s > protocol.long_call_s
        if not live.long:
            live.loops = {}
            return
        for number, seconds in ((-1, first), (0, live.call_s))[0 if live.case.id in self._serial else 1 :]:
            self._take(live, {"compute": seconds}, number)

    def _worth_trying(self, live):
        """Return whether a single call may stay within max_call_s; if not, the case is too_slow or has failed.

        Cases that an earlier repetition measured are not judged again. A prediction up to PREDICTION_SLACK times the
        limit is not trusted: it scales costs that do not grow with the size, such as waking threads.
        """
        limit, predictor, what = self._protocol.max_call_s, self._predictor, live.case.predicted
        while (wanted := predictor.trial(what, live.work, limit)) is not None:
            smaller = self._footprint.smaller(live.case.problem, wanted)
            work = self._footprint.work(smaller)
            if work >= live.work or predictor.knows(what, work):
                break
            if not self._attempt(live, self._try_smaller, smaller, work):
                return False
        predicted = predictor.predict(what, live.work, no_longer_than=replace(live.case, threads=1).predicted)
        hopeless = max(limit, min(PREDICTION_SLACK * limit, self._protocol.long_call_s))
        if predicted is not None and predicted > hopeless and live.is_new:
            live.too_slow(predicted, "is predicted to take")
            return False
        live.call_s = predicted or 0.0
        return True

    def _try_smaller(self, live, problem, work):
        """Time a call of a smaller problem: the best of two, or of more while they become much faster.

        Starting threads and touching memory for the first time say nothing of larger problems.
        """
        runner, case = self._workers.runner(live.case), replace(live.case, problem=problem)
        given = self._bench.given(problem)
        try:
            runner.load(problem, given)
            build_s, calls = runner.prepare(case), []
            while len(calls) < 2 or (len(calls) < TRIAL_CALLS and calls[-1] <= TRIAL_GAIN * calls[-2]):
                called, _ = runner.first_call(case, given)
                calls.append(called.seconds)
            runner.release(problem)
        except Failed as failed:
            failed.reason = f"at size {problem.size}, tried first: {failed.reason}"
            raise
        finally:
            given.close()
        if live.case.id in self._serial:
            live.started(build_s, calls[0])
        self._predictor.saw(live.case.predicted, work, min(calls))

    def _ready(self, live, warm=False):
        """Return the case's worker, with the problem loaded and the case prepared, checked once, and warm if asked."""
        case = live.case
        runner, serial = self._workers.runner(case), case.id in self._serial
        if serial:
            live.startup |= self._opened_alone[case.where]
        given = self._inputs(case.problem)
        runner.load(case.problem, given, live.call_s)
        if case.id not in runner.prepared:
            build_s = runner.prepare(case, live.call_s)
            if live.errors is None and not live.trusted:
                called, errors = runner.first_call(case, given, live.call_s)
                live.saw(called, errors)
                live.call_s = called.seconds
                if serial:
                    live.started(build_s, live.call_s)
        if warm and not live.long and case.id not in runner.warm:
            live.carrier = carrier(live, self._problems[case.problem.id], self._workers.converting)
            settings = self._bench.warm_up_settings(case, live.known_loops, live.wants)
            times = runner.warm_up(case, settings, live.call_s)
            if not live.loops:
                live.choose_loops(times)
            if not live.is_known:
                live.call_s = times["compute"][0]
                self._predictor.saw(live.case.predicted, live.work, live.call_s)
        return runner

    def _sample(self, live, number):
        """Sample a case in the round with this number: each kind of time that is due."""
        runner = self._ready(live, warm=True)
        if live.long:
            self._long_call(runner, live, number)
            return
        loops, primed = live.loops_due()
        cold, longest_s = self._protocol.cache == "cold", live.call_s * max(loops.values())
        self._take(live, runner.sample(live.case, loops, primed=primed, cold=cold, predicted_s=longest_s), number)

    def _long_call(self, runner, live, number):
        """Sample one call with changed inputs, and check its result."""
        given = self._inputs(live.case.problem)
        change = self._change(given)
        live.observed |= {"inputs_replaced": not change.changes}
        called, errors = runner.changed(live.case, given, change, predicted_s=live.call_s)
        live.saw(called, errors)
        self._take(live, {"compute": called.seconds}, number)

    def _take(self, live, seconds, number):
        for kind, each in seconds.items():
            live.take(kind, each, number)
            self._bench.steps.in_samples += each * live.loops[kind]

    # a problem's rounds

    def _sample_in_rounds(self, problem):
        """Sample the cases of a problem, each in its number of rounds."""
        state_change = system_state.begin()
        if problem not in self._resident:
            self._begin(problem)
        ready = [live for live in self._problems[problem] if live.runs and self._attempt(live, self._ready, warm=True)]
        fastest_s = min((live.call_s for live in ready), default=0.0)
        wanted = {live: live.rounds_wanted(fastest_s) for live in ready}
        references, peaks = self._watch.begin([live.case for live in ready])
        watched = math.ceil(WATCH_SAMPLES / self._bench.repetitions.max)
        for number, cases, is_watched, has_peaks in planned(wanted, self._random, watched=watched):
            active = [live for live in cases if live.runs]
            is_watched = is_watched and not all(live.long for live in active)
            order = [*active, *(references if is_watched else ()), *(peaks if has_peaks else ())]
            self._random.shuffle(order)
            for item in order:
                if isinstance(item, CaseState):
                    self._attempt(item, self._sample, number)
                elif item.runner.alive:
                    with self._step("reference"):
                        item.sample(number)
            self._bench.progress.tick()
        self._states[problem].append(state_change())
        self._watched = self._watch.watched(problem, self._name)

    def _finish(self, problem):
        """Measure energy, check results again, and hand the problem over."""
        lives = self._problems[problem]
        for live in lives:
            if live.runs:
                self._attempt(live, self._ask_of_samples)
            if live.runs and not live.long:
                self._attempt(live, self._count_energy)
        self._check_again([live for live in lives if live.runs and not live.long])
        for live in lives:
            _, environment = self._workers.opened.get(live.case.worker, (None, {}))
            live.share()
            live.system_states = self._states[problem]
            live.environment = environment | ({"flush_to_zero": True} if live.flushes else {})
        self._leave(problem)
        self._finished(problem, lives, self._watched)

    def _ask_of_samples(self, live):
        """Ask for observations beside the times, if the worker is the one that took the samples."""
        runner = self._workers.running(live.case)
        if runner and live.case.id in runner.prepared:
            live.observed |= vars(runner.sample_facts(live.case))

    def _count_energy(self, live):
        opened, _ = self._workers.opened.get(live.case.worker, (None, {}))
        if opened is None or opened.gpu is None or not live.energy:
            return
        runner = self._ready(live, warm=True)

        def burst(first):
            return runner.run_on(live.case, energy.BURST_S, restore=first, predicted_s=live.call_s)

        with self._step("energy"):
            read = partial(nvidia.energy_j, opened.gpu)
            energy_j = energy.per_call(read, burst, self._protocol.energy_s, usual_s=live.in_a_row_s)
            live.observed |= {"energy_j": energy_j}

    def _check_again(self, lives):
        """Check cases of one problem with changed inputs.

        New cases are checked with other inputs as well; all cases are if no change is possible.
        """
        if not lives:
            return
        problem = lives[0].case.problem
        try:
            given = self._inputs(problem)
            change = self._change(given)
            for live in lives:
                live.observed |= {"inputs_replaced": not change.changes}
            fresh = [live for live in lives if not change.changes or live.is_new]
            other = self._bench.given(problem, which=1, exact=True) if fresh else None
        except Failed as failed:
            self._fail_all(lives, failed)
            return
        if change.changes:
            suspected = []
            self._side_by_side(
                lambda live: live.suspects(self._called_changed(live, given, change)) and suspected.append(live),
                lives,
                CHECKING,
            )
            for live in suspected:
                self._attempt(live, self._confirm, given, change)
        if other is not None:
            fresh = [live for live in fresh if live.runs]
            self._side_by_side(
                lambda live: live.saw(*self._ready(live).recheck(live.case, other, live.call_s)), fresh, CHECKING
            )
            other.close()

    def _called_changed(self, live, given, change, *, confirming=False):
        """Check a case with changed inputs; return the ChangedCallResult."""
        runner, rows = self._ready(live), live.rows_due(confirming)
        called, errors = runner.changed(live.case, given, change, rows=rows, predicted_s=live.call_s)
        live.saw(called, errors)
        return called

    def _confirm(self, live, given, change):
        """Raise Failed if a case is suspicious alone, too. Beside others, threads of a call may wait for a core."""
        with self._step(CHECKING):
            called, least = self._called_changed(live, given, change, confirming=True), live.rows_due(True).least
        for found, pairs, after, words in (
            (called.keeps_results(least), called.pairs, "a change of the inputs", "it keeps results"),
            (called.leaves_out(least), called.rows, "a pause", "it leaves calls out"),
        ):
            if found:
                longer, shorter = map(statistics.median, zip(*pairs, strict=True))
                took = f"a call takes {longer:.3g} s after {after}, {shorter:.3g} s after none"
                raise Failed("wrong_result", f"{took}: {words}", alive=True)

    def _leave(self, problem):
        """Free the arrays of a problem unless there is room for them to the end."""
        if problem in self._resident:
            return

        def release(live):
            with contextlib.suppress(Failed):
                if runner := self._workers.running(live.case):
                    runner.release(live.case.problem)

        self._side_by_side(release, self._problems[problem])
        if problem in self._given:
            self._given.pop(problem).close()

    # inputs, and what becomes of a case

    def _inputs(self, problem):
        if problem.id not in self._given:
            self._given[problem.id] = self._bench.given(problem)
        return self._given[problem.id]

    def _change(self, given):
        with self._step("inputs"):
            return self._bench.verifier.change(given)

    def _side_by_side(self, step, lives, name="side by side"):
        """Attempt an untimed step of several cases."""
        self._workers.side_by_side(lambda live: self._attempt(live, step), lives, name)

    def _attempt(self, live, step, *arguments, **named):
        """Return whether step(live, ...) succeeds; the case has failed if not."""
        try:
            step(live, *arguments, **named)
        except Failed as failed:
            self._fail_all([live], failed)
        return live.runs

    def _fail_all(self, lives, failed):
        if self._workers.ended:  # the cause of the failure
            return
        timeout_s = self._protocol.timeout_s if failed.outcome == "timeout" else None
        for live in lives:
            live.fail(Verdict(failed.outcome, failed.reason, failed.remedy, failed.cause), timeout_s=timeout_s)
            log.info(f"{live.case.id}: {failed.outcome}: {failed.reason}")
