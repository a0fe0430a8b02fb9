"""A repetition: one measurement of a group of cases in fresh worker processes (docs/method.md).

1. Workers start side by side. If start-up is measured, the first worker of each backend on a device starts alone.
2. The first call of each case is checked, unless an earlier repetition checked the case. Smaller problems come first,
   to predict times at the next size. Problems too large to stay in memory are prepared just before they are sampled.
3. Problems are sampled in random order. A round samples some cases of the problem and reference cases, each once and in
   random order. The rounds of each case are planned beforehand, and spread at random over all rounds of the problem.
4. The cases of each problem are checked again with changed inputs. The cases' results are then written to the journal.
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
from accelbench.measure.case_state import CaseState, carrier, case_states, first_of_workers
from accelbench.measure.plan import Verdict
from accelbench.measure.rounds import WATCH_SAMPLES, planned
from accelbench.measure.workers import Workers
from accelbench.model.device import LaunchFacts
from accelbench.rpc.messages import KEEPS_RESULTS, LEAVES_OUT, exceeding
from accelbench.rpc.process import Failed

# Maximum number of trial calls of a smaller problem. After the second call, another call follows only if the last call
# took at most TRIAL_GAIN times the time of the previous call.
TRIAL_CALLS, TRIAL_GAIN = 8, 0.8
PREDICTION_SLACK = 8  # Maximum ratio of the predicted time of a call to max_call_s, for times up to long_call_s
CHECKING = "checking"  # Name of the step that checks results after the samples

log = logging.getLogger("accelbench")


class Repetition:
    """One repetition of a Group of cases on a Bench.

    name        name of the repetition. The name and the protocol's seed determine the random order
    serial      whether to measure start-up. If true, the first worker of each backend on a device starts alone. For
                each combination of dtype and options, each worker also makes the first call of its first case in the
                smallest problem while no other worker computes. The first call compiles the code for later calls
    watch       the ReferenceSampler, which samples reference cases to show changes of the machine's speed
    finished    finished(problem, states, watched), called with each problem's id, CaseStates and WatchedProblem
    """

    def __init__(self, bench, name, group, *, serial, watch, finished):
        self._bench, self._resident, self._predictor = bench, group.resident, bench.predictor
        self._name, self._watch, self._finished = name, watch, finished
        self._protocol, self._footprint, self._step = bench.config.protocol, bench.footprint, bench.steps.step
        self._random = random.Random(f"{self._protocol.seed} {name}")
        self._problems = {}
        for state in case_states(bench, group.cases):
            self._problems.setdefault(state.case.problem.id, []).append(state)
        self._serial = first_of_workers(self._problems.values()) if serial else set()
        self._workers, self._given = Workers(bench), {}
        self._opened_alone = {}  # {PlannedCase.where: start-up costs of the first worker there}

    def measure(self):
        """Measure all cases. Afterwards, or after an error, end the workers."""
        ascending = sorted(self._problems, key=lambda p: self._problems[p][0].work)
        try:
            for problem in ascending:
                if problem in self._resident:
                    self._begin(problem)
            order = list(self._problems)
            self._random.shuffle(order)
            for problem in order:
                system, watched = self._sample_in_rounds(problem)
                self._finish(problem, system, watched)
        finally:
            self._workers.end()
            for given in self._given.values():
                given.close()

    # Steps of a case

    def _begin(self, problem):
        """Start the workers of a problem. Prepare the cases that are worth trying. Check the first call of each such
        case, unless an earlier repetition checked it. Time the second call of new or `long` cases."""
        states = self._problems[problem]
        alone = [state for state in states if state.case.id in self._serial]
        for state in alone:
            if state.case.where not in self._opened_alone:
                self._attempt(state, self._open_alone)
        self._side_by_side(lambda state: self._workers.runner(state.case), [state for state in states if state.runs])
        for state in alone:
            if state.runs and self._worth_trying(state):
                self._attempt(state, self._first)
        others = [state for state in states if state not in alone]
        promising = [state for state in others if state.runs and self._worth_trying(state)]
        if promising:
            try:
                self._inputs(promising[0].case.problem)
            except Failed as failed:
                self._fail_all(promising, failed)
            else:
                self._side_by_side(self._begin_beside_others, promising)
        for state in promising:
            if state.runs and not state.trusted:
                self._attempt(state, self._first)

    def _open_alone(self, state):
        """Start the first worker of a backend on a device. Store the times to import code and to open the device."""
        opened = self._workers.runner(state.case).opened
        self._opened_alone[state.case.where] = {"import_s": opened.import_s, "context_s": opened.context_s}

    def _begin_beside_others(self, state):
        """Make a case ready while other cases run. Warm the case up if an earlier repetition has chosen its loops."""
        self._ready(state, warm=state.is_known)
        if state.is_known:
            state.call_s = state.known.call_s

    def _first(self, state):
        runner = self._ready(state)
        if state.case.device != "cpu":
            state.facts = runner.ask("facts_of", state.case) or LaunchFacts()
        if not state.is_known:
            self._second(runner, state)
        log.debug(f"{state.case.id}: first call {state.call_s:.3g} s, error {state.errors.max_error:.3g}")

    def _second(self, runner, state):
        """Time a second call, which has no first-time costs. If calls are `long`, the second call is a sample. The
        first call is also a sample if no other worker ran."""
        first, state.loops, protocol = state.call_s, {"compute": 1}, self._protocol
        once = partial(runner.sample, state.case, state.loops, predicted_s=first)
        state.call_s = once()["compute"]
        if protocol.max_call_s < state.call_s <= protocol.long_call_s:
            # A call that touches memory for the first time can be many times slower than the next call.
            state.call_s = min(state.call_s, once()["compute"])
            if state.call_s > protocol.max_call_s and state.is_new:
                state.too_slow(state.call_s, "takes")
        self._predictor.saw(state.case.predicted, state.work, state.call_s)
        state.long = state.call_s > protocol.long_call_s
        if not state.long:
            state.loops = {}
            return
        for number, seconds in ((-1, first), (0, state.call_s))[0 if state.case.id in self._serial else 1 :]:
            self._take(state, {"compute": seconds}, number)

    def _worth_trying(self, state):
        """Return whether to call a case, given that a call may take at most max_call_s. If not, record the case as
        too_slow or failed. A case that an earlier repetition measured is never too_slow. Predicted times up to
        PREDICTION_SLACK times max_call_s are acceptable if they do not exceed long_call_s. Some costs of a call, such
        as waking threads, may grow less with the size than predicted."""
        limit, predictor, what = self._protocol.max_call_s, self._predictor, state.case.predicted
        while (trial_work := predictor.trial(what, state.work, limit)) is not None:
            smaller = self._footprint.smaller(state.case.problem, trial_work)
            work = self._footprint.work(smaller)
            if work >= state.work or predictor.knows(what, work):
                break
            if not self._attempt(state, self._try_smaller, smaller, work):
                return False
        predicted = predictor.predict(what, state.work, no_longer_than=replace(state.case, threads=1).predicted)
        hopeless = max(limit, min(PREDICTION_SLACK * limit, self._protocol.long_call_s))
        if predicted is not None and predicted > hopeless and state.is_new:
            state.too_slow(predicted, "is predicted to take")
            return False
        state.call_s = predicted or 0.0
        return True

    def _try_smaller(self, state, problem, work):
        """Call the smaller `problem`, and pass the time of the fastest call to the Predictor. Make two calls, and more
        calls while each call is much faster than the previous call. The first calls also start threads and touch memory
        for the first time. These costs do not scale with the size."""
        runner, case = self._workers.runner(state.case), replace(state.case, problem=problem)
        given = self._bench.given(problem)
        try:
            runner.load(problem, given)
            build_s, calls = runner.prepare(case), []
            while len(calls) < 2 or (len(calls) < TRIAL_CALLS and calls[-1] <= TRIAL_GAIN * calls[-2]):
                called, _ = runner.first_call(case, given)
                calls.append(called.seconds)
            runner.release(problem)
        except Failed as failed:
            failed.reason = f"at size {problem.size}, which is tried first: {failed.reason}"
            raise
        finally:
            given.close()
        if state.case.id in self._serial:
            state.started(build_s, calls[0])
        self._predictor.saw(state.case.predicted, work, min(calls))

    def _ready(self, state, warm=False):
        """Load a case's problem, prepare the case, check it unless it is trusted, and return its CaseRunner. If `warm`,
        warm the case up. Steps that the worker has completed before are not repeated."""
        case = state.case
        runner, serial = self._workers.runner(case), case.id in self._serial
        if serial:
            state.startup |= self._opened_alone[case.where]
        given = self._inputs(case.problem)
        runner.load(case.problem, given, state.call_s)
        if case.id not in runner.prepared:
            build_s = runner.prepare(case, state.call_s)
            if state.errors is None and not state.trusted:
                called, errors = runner.first_call(case, given, state.call_s)
                state.saw(called, errors)
                state.call_s = called.seconds
                if serial:
                    state.started(build_s, state.call_s)
        if warm and not state.long and case.id not in runner.warm:
            state.carrier = carrier(state, self._problems[case.problem.id], self._workers.converting)
            settings = self._bench.warm_up_settings(case, state.known_loops, state.wants)
            times = runner.warm_up(case, settings, state.call_s)
            if not state.loops:
                state.choose_loops(times)
            if not state.is_known:
                state.call_s = times["compute"][0]
                self._predictor.saw(state.case.predicted, state.work, state.call_s)
        return runner

    def _sample(self, state, number):
        """Sample a case in the round with this number: every kind of time that is due in this round."""
        runner = self._ready(state, warm=True)
        if state.long:
            self._long_call(runner, state, number)
            return
        loops, primed = state.loops_due()
        cold, longest_s = self._protocol.cache == "cold", state.call_s * max(loops.values())
        self._take(state, runner.sample(state.case, loops, primed=primed, cold=cold, predicted_s=longest_s), number)

    def _long_call(self, runner, state, number):
        """Sample one call with changed inputs, and check its result."""
        given = self._inputs(state.case.problem)
        change = self._change(given)
        state.observed |= {"inputs_replaced": not change.changes}
        called, errors = runner.changed(state.case, given, change, predicted_s=state.call_s)
        state.saw(called, errors)
        self._take(state, {"compute": called.seconds}, number)

    def _take(self, state, seconds, number):
        for kind, call_s in seconds.items():
            state.take(kind, call_s, number)
            self._bench.steps.in_samples += call_s * state.loops[kind]

    # Rounds of a problem

    def _sample_in_rounds(self, problem):
        """Sample the cases of a problem in rounds. Return (change of the system's state, WatchedProblem)."""
        system_change = system_state.begin()
        if problem not in self._resident:
            self._begin(problem)
        ready = [
            state for state in self._problems[problem] if state.runs and self._attempt(state, self._ready, warm=True)
        ]
        fastest_s = min((state.call_s for state in ready), default=0.0)
        rounds = {state: state.rounds_wanted(fastest_s) for state in ready}
        references, peaks = self._watch.begin([state.case for state in ready])
        watched = math.ceil(WATCH_SAMPLES / self._bench.repetitions.max)
        for number, cases, is_watched, has_peaks in planned(rounds, self._random, watched=watched):
            active = [state for state in cases if state.runs]
            is_watched = is_watched and not all(state.long for state in active)
            order = [*active, *(references if is_watched else ()), *(peaks if has_peaks else ())]
            self._random.shuffle(order)
            for item in order:
                if isinstance(item, CaseState):
                    self._attempt(item, self._sample, number)
                elif item.runner.alive:
                    with self._step("reference"):
                        item.sample(number)
            self._bench.progress.tick()
        return system_change(), self._watch.watched(problem, self._name)

    def _finish(self, problem, system, watched):
        """Measure the energy of a problem's cases, check results again, free the arrays, and call `finished`."""
        states = self._problems[problem]
        for state in states:
            if state.runs:
                self._attempt(state, self._ask_of_samples)
            if state.runs and not state.long:
                self._attempt(state, self._count_energy)
        self._check_again([state for state in states if state.runs and not state.long])
        for state in states:
            _, environment = self._workers.opened.get(state.case.worker, (None, {}))
            state.share()
            state.system_states = [system]
            state.environment = environment | ({"flush_to_zero": True} if state.flushes else {})
        self._leave(problem)
        self._finished(problem, states, watched)

    def _ask_of_samples(self, state):
        """Get the SampleFacts of a case from its worker, unless the worker ended after the samples."""
        runner = self._workers.running(state.case)
        if runner and state.case.id in runner.prepared:
            state.observed |= vars(runner.ask("facts_of_samples", state.case))

    def _count_energy(self, state):
        opened, _ = self._workers.opened.get(state.case.worker, (None, {}))
        if opened is None or opened.gpu is None or not state.energy:
            return
        runner = self._ready(state, warm=True)

        def burst(first):
            return runner.ask("run_on", state.case, state.call_s, seconds=energy.BURST_S, restore=first)

        with self._step("energy"):
            read = partial(nvidia.energy_j, opened.gpu)
            energy_j = energy.per_call(read, burst, self._protocol.energy_s, usual_s=state.in_a_row_s)
            state.observed |= {"energy_j": energy_j}

    def _check_again(self, states):
        """Check cases of one problem with changed inputs. New cases are also checked with exact inputs of another seed.
        If the inputs cannot be changed, all cases are checked with these exact inputs."""
        if not states:
            return
        problem = states[0].case.problem
        try:
            given = self._inputs(problem)
            change = self._change(given)
            for state in states:
                state.observed |= {"inputs_replaced": not change.changes}
            fresh = [state for state in states if not change.changes or state.is_new]
            other = self._bench.given(problem, which=1, exact=True) if fresh else None
        except Failed as failed:
            self._fail_all(states, failed)
            return
        if change.changes:
            suspected = []
            self._side_by_side(
                lambda state: state.suspects(self._called_changed(state, given, change)) and suspected.append(state),
                states,
                CHECKING,
            )
            for state in suspected:
                self._attempt(state, self._confirm, given, change)
        if other is not None:
            fresh = [state for state in fresh if state.runs]
            self._side_by_side(
                lambda state: state.saw(*self._ready(state).recheck(state.case, other, state.call_s)), fresh, CHECKING
            )
            other.close()

    def _called_changed(self, state, given, change, *, confirming=False):
        """Check a case with changed inputs. Return the ChangedCallResult."""
        runner, rows = self._ready(state), state.rows_due(confirming)
        called, errors = runner.changed(state.case, given, change, rows=rows, predicted_s=state.call_s)
        state.saw(called, errors)
        return called

    def _confirm(self, state, given, change):
        """Check a suspicious case again while no other case runs. Raise Failed if its times are suspicious again. The
        case runs alone so that its threads do not wait for cores that other cases use."""
        with self._step(CHECKING):
            called, least = self._called_changed(state, given, change, confirming=True), state.rows_due(True).least
        for limits, pairs, enough, after, words in (
            (KEEPS_RESULTS, called.pairs, least, "a change of the inputs", "reuses results of earlier calls"),
            (LEAVES_OUT, called.rows, len(called.rows) // 2 + 1, "a pause", "skips calls"),
        ):
            if exceeding(pairs, limits) >= enough:
                longer, shorter = map(statistics.median, zip(*pairs, strict=True))
                took = f"a call takes {longer:.3g} s after {after}, {shorter:.3g} s otherwise"
                raise Failed("wrong_result", f"{took}: the implementation {words}", alive=True)

    def _leave(self, problem):
        """Free the arrays of a problem, unless they stay in memory during the whole repetition."""
        if problem in self._resident:
            return

        def release(state):
            with contextlib.suppress(Failed):
                if runner := self._workers.running(state.case):
                    runner.release(state.case.problem)

        self._side_by_side(release, self._problems[problem])
        if problem in self._given:
            self._given.pop(problem).close()

    # Inputs, steps and failures

    def _inputs(self, problem):
        if problem.id not in self._given:
            self._given[problem.id] = self._bench.given(problem)
        return self._given[problem.id]

    def _change(self, given):
        with self._step("inputs"):
            return self._bench.verifier.change(given)

    def _side_by_side(self, step, states, name="side by side"):
        """Attempt step(state) of several cases in parallel. The step must take no samples."""
        self._workers.side_by_side(lambda state: self._attempt(state, step), states, name)

    def _attempt(self, state, step, *arguments, **named):
        """Call step(state, ...), and record a failure of the step. Return whether the case has not failed."""
        try:
            step(state, *arguments, **named)
        except Failed as failed:
            self._fail_all([state], failed)
        return state.runs

    def _fail_all(self, states, failed):
        if self._workers.ended:  # the calls failed because the workers were ended, which is no failure of a case
            return
        verdict = Verdict(failed.outcome, failed.reason, failed.remedy, failed.cause)
        timeout_s = self._protocol.timeout_s if failed.outcome == "timeout" else None
        for state in states:
            state.failure, state.timeout_s = verdict, timeout_s
            log.info(f"{state.case.id}: {failed.outcome}: {failed.reason}")
