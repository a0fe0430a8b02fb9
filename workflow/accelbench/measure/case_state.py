"""State of one case during a repetition: its samples so far, and the number of samples that it needs."""

import math
import secrets
from dataclasses import dataclass, field
from typing import Any

from accelbench import statistics
from accelbench.config import Protocol
from accelbench.measure.merge import LEAST_SAMPLES
from accelbench.measure.plan import PlannedCase, Verdict
from accelbench.measure.todo import STOP_AFTER
from accelbench.model.device import LaunchFacts
from accelbench.model.entry import JournalEntry, Measured, TimedSamples, Unmeasured
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS
from accelbench.model.record import Startup
from accelbench.rpc.messages import KEEPS_RESULTS, LEAVES_OUT, ErrorMetrics, Rows, exceeding, exceeds
from accelbench.verify.comparison import closeness

PRIMARY = ("throughput", "call", "end_to_end", "end_to_end_pinned")
# Maximum ratio of the time spent on samples of one kind of time to the time spent on samples of `compute`. The key True
# is for kinds in PRIMARY, the key False for other kinds.
SHARE_OF_COMPUTE = {True: 0.2, False: 0.03}
# Divisor: each kind of time except `compute` may take budget_s / OTHER_KINDS more than SHARE_OF_COMPUTE allows.
OTHER_KINDS = 64
LAUNCH_SAMPLES = 10  # Minimum number of samples of `launch`, if the calls of one sample take at most SHORT_S
SHORT_S = 0.005  # Maximum time of the calls of a sample for which LAUNCH_SAMPLES applies, in seconds
# Maximum number of calls in a primed sample. Before a primed sample, an untimed call brings the data into the caches.
PRIMED_LOOPS = 50
REFILL_SHARE = 0.03  # Ratio of (time to refill the caches) to (time of a sample) above which the sample is primed
LONG_CALLS = 3  # Number of samples of a `long` case, whose calls take longer than long_call_s
FEWEST_SAMPLES = 3  # Minimum number of samples of a case whose min_rounds samples would exceed budget_s
MOST_ROUNDS = 64  # Maximum number of rounds of a case that gets as many rounds as budget_s allows
# Multiple of budget_s that the samples of one kind of time may take while a case has too few of these samples
BUDGET_FACTOR = 4
# Maximum ratio of a case's time to the time of the problem's fastest case. A slower case gets at most min_rounds
# rounds, and fewer if min_rounds rounds take longer than budget_s.
SLOW_FACTOR = 3.0
# Entries (number of pairs of timed calls, maximum total time of these calls in seconds). A case uses the first entry
# whose maximum suffices. Inputs change before the first call of each pair.
PAIRS = ((8, 0.25), (3, 1.0))
# Maximum number of calls in a row (a timed loop of calls whose last result is checked), and maximum time of a row in
# seconds. A row may have two calls even if they take longer.
MOST_IN_ROW, ROW_S = 16, 1e-4
# Maximum of (time of a call * number of pairs), in seconds, at which rows are timed to confirm that a case skips calls
CONFIRMING_S = 0.1
# (factor of the number of pairs, minimum share of pairs whose call after a change is slower). SUSPECTED: to suspect a
# case of reusing results. CONFIRMED: to confirm this while no other case runs. The shares are below 1, since a busy
# machine interrupts some calls.
SUSPECTED, CONFIRMED = (1, 3 / 4), (3, 5 / 6)
RESIDENT = ("compute", "throughput", "call", "launch")  # Kinds of time without transfers
# Kinds of time that are measured for one case and reused for other cases of the same backend, device and problem
SHARED_KINDS = ("upload", "download", "upload_pinned", "download_pinned")
MEASURED = ("long", "call_s", "facts", "environment", "keeping")


@dataclass(eq=False)
class CaseState:
    """State of one case during a repetition.

    work        Footprint.work of the case's problem
    refill_s    time to bring the working set back into the caches, in seconds; 0 if the working set exceeds the caches
    on_host     whether the host's cores do the work
    known       the case's first result in earlier repetitions on this instance of the machine, or None
    transfers   whether to measure times with transfers
    energy      whether to measure the energy of a call
    fewest      minimum number of samples of each kind of time except `compute`, if the samples of a kind take at
                most BUDGET_FACTOR times budget_s
    trusting    whether to skip the check of the first call of a case that an earlier repetition has checked
    keeping     whether to check that no call reuses results of an earlier call
    carrier     CaseState whose samples of SHARED_KINDS this case reuses, or None
    shared      whether this case has reused samples of the carrier
    errors      ErrorMetrics of the checked call whose error was the nearest to its bound
    facts       LaunchFacts of the kernel that the case launches on a device
    observed    {name: value} of observations, whose names are in model.record.OBSERVED
    flushes     whether the worker flushes subnormal numbers to 0
    """

    case: PlannedCase
    protocol: Protocol
    work: float
    refill_s: float
    on_host: bool = True
    known: Measured | None = None
    transfers: bool = True
    energy: bool = True
    fewest: int = 1
    trusting: bool = False
    keeping: bool = True
    carrier: "CaseState | None" = None
    shared: bool = False
    startup: dict = field(default_factory=dict)
    errors: ErrorMetrics | None = None
    samples: dict = field(default_factory=dict)
    rounds: dict = field(default_factory=dict)
    loops: dict = field(default_factory=dict)
    call_s: float = 0.0
    long: bool = False
    failure: Verdict | None = None
    predicted_s: float | None = None
    timeout_s: float | None = None
    facts: LaunchFacts = field(default_factory=LaunchFacts)
    observed: dict[str, Any] = field(default_factory=dict)
    flushes: bool = False
    system_states: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)

    @property
    def runs(self):
        """Return whether the case has not failed so far."""
        return self.failure is None

    @property
    def is_new(self):
        """Return whether no earlier repetition on this instance of the machine has measured the case."""
        return self.known is None

    @property
    def trusted(self):
        """Return whether to skip the check of the case's first call."""
        return self.trusting and self.is_known

    @property
    def known_loops(self):
        """Return the loops of this repetition, {kind of time: calls in a sample}, or else of an earlier repetition."""
        return self.loops or ({kind: taken.loops for kind, taken in self.known.timings.items()} if self.known else {})

    @property
    def is_known(self):
        """Return whether the case is not new, and its calls took at most long_call_s."""
        return self.known is not None and not self.known.long

    @property
    def in_a_row_s(self):
        """Median of the `throughput` samples, or of the `compute` samples if there are none, in seconds per call."""
        return statistics.median(self.samples.get("throughput", self.samples["compute"]))

    def wants(self, kind):
        """Return whether to measure a kind of time. If there is a carrier, SHARED_KINDS are not measured."""
        return kind in RESIDENT or (self.transfers and (self.carrier is None or kind not in SHARED_KINDS))

    def choose_loops(self, times):
        """Set the loops from `times`, {kind: (seconds per call, loops)}. Values of `known_loops` take precedence."""
        loops = {kind: count for kind, (_, count) in times.items()} | self.known_loops
        self.loops = {kind: count for kind, count in loops.items() if self.wants(kind)}

    def share(self):
        """Reuse the carrier's samples of SHARED_KINDS."""
        carrier = self.carrier
        for kind in SHARED_KINDS:
            if carrier is not None and self.transfers and kind in carrier.samples:
                self.samples[kind], self.rounds[kind] = carrier.samples[kind], carrier.rounds[kind]
                self.loops[kind], self.shared = carrier.loops[kind], True

    def take(self, kind, seconds, number):
        """Add a sample of a kind of time, in seconds per call, from the round with this number."""
        self.samples.setdefault(kind, []).append(seconds)
        self.rounds.setdefault(kind, []).append(number)

    def saw(self, called, errors):
        """Add the CallResult and ErrorMetrics of a checked call."""
        known = filter(None, (self.errors, errors))
        self.errors = max(known, key=lambda metrics: closeness(metrics.max_error, metrics.tolerance))
        self.flushes |= called.flush_to_zero

    def too_slow(self, seconds, how):
        limit = self.protocol.max_call_s
        reason = f"one call {how} {seconds:.3g} s, more than max_call_s ({limit:g} s)"
        self.failure, self.predicted_s = Verdict("too_slow", reason), seconds

    def loops_due(self):
        """Return what to sample in the next round: ({kind: loops}, [kinds whose sample follows an untimed call])."""
        loops = {kind: count for kind, count in self.loops.items() if kind == "compute" or self._is_due(kind)}
        primed = [
            kind
            for kind, count in loops.items()
            if self.refill_s > REFILL_SHARE * count * self.call_s and count <= PRIMED_LOOPS
        ]
        return loops, primed

    def _is_due(self, kind):
        """Return whether to sample a kind of time other than `compute` in the next round.

        The first round samples every kind. The next rounds sample a kind until it has `fewest` samples, if these take
        at most BUDGET_FACTOR times budget_s. Later rounds sample the kind only if its samples have taken at most
        SHARE_OF_COMPUTE times the time of `compute` samples, plus budget_s / OTHER_KINDS. `launch` gets at least
        LAUNCH_SAMPLES samples if these are short, so that one interruption does not change the median.
        """
        taken = self.samples.get(kind)
        if not taken:
            return True
        if kind == "launch" and len(taken) < LAUNCH_SAMPLES and self.loops[kind] * self.call_s <= SHORT_S:
            return True
        spent_s = self.loops[kind] * sum(taken)
        if len(taken) < self.fewest and spent_s * (1 + 1 / len(taken)) <= BUDGET_FACTOR * self.protocol.budget_s:
            return True
        compute = self.loops["compute"] * sum(self.samples["compute"])
        allowed = SHARE_OF_COMPUTE[kind in PRIMARY] * compute + self.protocol.budget_s / OTHER_KINDS
        return spent_s <= allowed

    def rounds_wanted(self, fastest_s):
        """Return the number of rounds in which to sample the case.

        fastest_s  time of a call of the problem's fastest case, in seconds
        """
        if self.long:
            return max(0, LONG_CALLS - len(self.samples["compute"]))
        protocol, sample_s = self.protocol, self.loops["compute"] * self.call_s
        within_budget, is_far = int(protocol.budget_s / sample_s), self.call_s > SLOW_FACTOR * fastest_s
        if within_budget < protocol.min_rounds:
            most_s = protocol.budget_s * (1 if is_far else BUDGET_FACTOR)
            return max(FEWEST_SAMPLES, min(protocol.min_rounds, int(most_s / sample_s)))
        # Within one process, times on a GPU hardly vary, except launch times. So min_rounds rounds suffice.
        if is_far or not self.on_host:
            return protocol.min_rounds
        return min(within_budget, MOST_ROUNDS)

    def rows_due(self, confirming=False):
        """Return the Rows to check whether the case reuses results or skips calls: more calls if `confirming`."""
        times, share = CONFIRMED if confirming else SUSPECTED
        fitting = [times * count for count, most_s in PAIRS if 2 * count * self.call_s <= most_s]
        pairs = fitting[0] if fitting and self.keeping else 0
        row = 1 + secrets.randbelow(max(2, min(MOST_IN_ROW, int(ROW_S / self.call_s))))
        calls = MOST_IN_ROW * (confirming and self.call_s * pairs <= CONFIRMING_S)
        return Rows(row=row, pairs=pairs, least=max(1, math.ceil(share * pairs)), calls=calls)

    def suspects(self, called):
        """Return whether times in a ChangedCallResult suggest that the case reuses earlier results or skips calls."""
        alone = min((unchanged for _, unchanged in called.pairs), default=0.0)
        left_out = self.on_host and exceeds((alone, self.in_a_row_s), LEAVES_OUT)
        return left_out or exceeding(called.pairs, KEEPS_RESULTS) >= self.rows_due().least

    def started(self, build_s, first_call_s):
        """Set the start-up costs, unless an earlier call has set them. Only the worker's first call compiles code."""
        self.startup = {"build_s": build_s, "first_call_s": first_call_s} | self.startup

    def entry(self, key, *, repetition, number, run):
        """Return the JournalEntry of the case.

        key         key of the case from measure.keys
        repetition  name of the repetition
        number      number of the repetition, from 1
        run         name of the workflow's run
        """
        startup = Startup(**self.startup)
        if self.runs:
            timings = {
                kind: TimedSamples(
                    samples_s=samples,
                    rounds=self.rounds[kind],
                    loops=self.loops[kind],
                    shared=self.shared and kind in SHARED_KINDS,
                )
                for kind, samples in self.samples.items()
            }
            measured = {name: getattr(self, name) for name in MEASURED} | self.observed
            states = self.system_states
            result = Measured(startup=startup, timings=timings, system_states=states, **vars(self.errors), **measured)
        else:
            result = Unmeasured(startup=startup, predicted_s=self.predicted_s, timeout_s=self.timeout_s)
        about = {"case": self.case.id, "key": key, "repetition": repetition, "number": number, "run": run}
        return JournalEntry(**about, **vars(self.failure or Verdict("ok", None)), result=result)


def case_states(bench, cases):
    """Yield a CaseState for each of `cases`, which are measured on a Bench.

    A GPU mostly waits during short calls. So energy is measured only for the largest problem of each combination of
    dtype and options. Energy that an earlier repetition measured is not measured again. Transfers do not depend on the
    block size. So transfers and energy are measured only for cases without a block size, with a default block size, or
    with the block size whose first result was the fastest.
    """
    predictor, works, keeping = bench.predictor, {}, _checked_for_keeping(bench, cases)
    best = predictor.best_blocks
    for case in cases:
        works.setdefault(_kind(case.problem), set()).add(bench.footprint.work(case.problem))
    for case in cases:
        work, chosen = bench.footprint.work(case.problem), case.parameters.get(BLOCK_SIZE) in (None, *DEFAULT_BLOCKS)
        on_host, beside = bench.device(case).on_host, chosen or case.id in best
        most = bench.repetitions.max
        repetitions = (most if on_host else min(most, STOP_AFTER)) - (beside and not chosen)
        yield CaseState(
            case,
            bench.config.protocol,
            work,
            bench.footprint.refill_s(case),
            on_host,
            predictor.measured.get(case.id),
            transfers=beside,
            energy=beside and case.id not in predictor.counted and work == max(works[_kind(case.problem)]),
            fewest=math.ceil(LEAST_SAMPLES / max(1, repetitions)),
            trusting=predictor.trusted,
            keeping=case.id in keeping,
        )


def _checked_for_keeping(bench, cases):
    """Return the ids of cases to check for results that a call keeps for later calls.

    The function chooses one random case of each implementation and device that no earlier repetition has checked. If
    there are larger problems, the function chooses no case of the smallest problem. A very short call that reuses
    results saves too little time to be detected.
    """
    drawn, least = {}, min((bench.footprint.work(case.problem) for case in cases), default=0.0)
    for case in cases:
        if case.checked_as not in bench.predictor.checked:
            drawn.setdefault(case.checked_as, []).append(case)
    larger = {k: [c for c in group if bench.footprint.work(c.problem) > least] or group for k, group in drawn.items()}
    return {secrets.choice(group).id for group in larger.values()}


def carrier(state, states, converting):
    """Return the CaseState whose samples of SHARED_KINDS `state` reuses, or None.

    The carrier is the first case on the same backend, environment and device whose transfers are measured. Return None
    if `state` is the carrier itself.

    states      CaseStates of the problem
    converting  workers whose implementations convert their inputs; their cases share no timings
    """
    for other in states if state.case.worker not in converting else ():
        same_place = other.case.where == state.case.where
        if same_place and other.runs and other.transfers and not other.long and other.case.worker not in converting:
            return other if other is not state else None
    return None


def first_of_workers(problems):
    """Return a set: the id of each worker's first case in the smallest problem of each pair of dtype and options.

    problems  a list of CaseStates for each problem
    """
    smallest, firsts = {}, {}
    for several in problems:
        kind = _kind(several[0].case.problem)
        smallest[kind] = min(smallest.get(kind, several), several, key=lambda cases: cases[0].work)
    for kind, several in smallest.items():
        for state in several:
            firsts.setdefault((kind, state.case.worker), state.case.id)
    return set(firsts.values())


def _kind(problem):
    return problem.dtype, str(problem.options)
