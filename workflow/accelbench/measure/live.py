"""What a repetition knows of one case so far, and when it knows enough."""

import math
import secrets
from dataclasses import dataclass, field
from typing import Any

from accelbench import statistics
from accelbench.config import Protocol
from accelbench.measure.merge import LEAST_SAMPLES
from accelbench.measure.plan import PlannedCase
from accelbench.measure.todo import RESTING
from accelbench.model.device import LaunchFacts
from accelbench.model.entry import JournalEntry, Measured, TimedSamples, Unmeasured
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS
from accelbench.model.record import Outcome, Startup
from accelbench.rpc.messages import LEAVES_OUT, ErrorMetrics, Rows, exceeds
from accelbench.verify.comparison import closeness

PRIMARY = ("throughput", "call", "end_to_end", "end_to_end_pinned")
SHARE_OF_COMPUTE = {True: 0.2, False: 0.03}  # of compute's time, what a kind of time that is PRIMARY (or not) may take
OTHER_KINDS = 64  # beside that, another kind may take this part of the budget
LAUNCH_SAMPLES = 10  # at least, in rounds of their own, where what is launched in one of them ends within SHORT_S
SHORT_S = 0.005
PRIMED_LOOPS = 50  # up to this many loops, one untimed call brings the case's data back into the caches first
REFILL_SHARE = 0.03  # unless bringing them back takes less than this share of the sample
LONG_CALLS = 3  # calls of a case whose single call is long, in all
FEWEST_SAMPLES = 3  # however small the budget
MOST_ROUNDS = 64  # of a case
OVERRUN = 4  # times the budget, that the fewest rounds may take
FAR = 3.0  # times as long as the fastest takes: what is no nearer is sampled in the fewest rounds, without OVERRUN
# Pairs of calls that are timed, one after a change of the inputs and one after none, and the seconds that they have to
# fit.
PAIRS = ((8, 0.25), (3, 1.0))
MOST_IN_ROW, ROW_S = 16, 1e-4  # Most calls of a checked row, which takes so many seconds, or has two calls
CONFIRMING_S = 0.1  # longest pairs of calls, in seconds, beside which rows of MOST_IN_ROW are timed
# How many times as many pairs, and in which share of them a call that keeps results notices a change: not in all, since
# a busy machine interrupts some. Who is suspected is asked again, alone.
SUSPECTED, CONFIRMED = (1, 3 / 4), (3, 5 / 6)
RESIDENT = ("compute", "throughput", "call", "launch")  # kinds of time of data that stay where they are
ALIKE = ("upload", "download", "upload_pinned", "download_pinned")  # of all implementations of a backend on a device
MEASURED = ("long", "call_s", "facts", "environment", "keeping")


@dataclass(eq=False)
class Live:
    """A case in a repetition.

    work        of its problem, as prediction understands it
    refill_s    to bring its working set back into the caches, 0 where it does not fit them
    on_host     whether its device is the host's
    known       what another repetition has found out of it, or None: some things need doing once only
    transfers   whether times with transfers, too, are taken
    energy      whether its energy is counted
    fewest      samples of each kind of time, in this repetition, that are worth OVERRUN
    trusting    whether what is known needs no check of its first call, as other repetitions do that
    keeping     whether it is to be told whether it keeps results
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
    carrier: "Live | None" = None  # the case that what is ALIKE is timed with, where that is another
    shared: bool = False  # whether it has done so
    startup: dict = field(default_factory=dict)
    errors: ErrorMetrics | None = None  # those nearest to their bounds
    samples: dict = field(default_factory=dict)
    rounds: dict = field(default_factory=dict)
    loops: dict = field(default_factory=dict)
    call_s: float = 0.0
    long: bool = False
    spent_s: float = 0.0
    outcome: Outcome = "ok"
    reason: str | None = None
    predicted_s: float | None = None
    timeout_s: float | None = None
    facts: LaunchFacts = field(default_factory=LaunchFacts)  # of its kernel on a device
    observed: dict[str, Any] = field(default_factory=dict)  # of model.record.OBSERVED
    flushes: bool = False  # whether its worker takes subnormal numbers for 0
    system_states: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)

    @property
    def runs(self):
        """Whether nothing has kept it from running so far."""
        return self.outcome == "ok"

    @property
    def is_new(self):
        """Whether no process has measured it yet."""
        return self.known is None

    @property
    def trusted(self):
        """Whether its first call needs no check."""
        return self.trusting and self.is_known

    @property
    def known_loops(self):
        """{kind: loops} that this repetition or another one has chosen."""
        return self.loops or ({kind: taken.loops for kind, taken in self.known.timings.items()} if self.known else {})

    @property
    def is_known(self):
        """Whether another repetition has found out how long its calls are, and that they are not `long`."""
        return self.known is not None and not self.known.long

    @property
    def in_a_row_s(self):
        """What one of many calls in a row has taken in its samples."""
        return statistics.median(self.samples.get("throughput", self.samples["compute"]))

    def wants(self, kind):
        """Whether a kind of time is taken of it."""
        return kind in RESIDENT or (self.transfers and (self.carrier is None or kind not in ALIKE))

    def choose_loops(self, times):
        """Take the loops of {kind: (seconds per call, loops)}, or another repetition's, of what is to be timed."""
        loops = {kind: count for kind, (_, count) in times.items()} | self.known_loops
        self.loops = {kind: count for kind, count in loops.items() if self.wants(kind)}

    def share(self):
        """Take over what its carrier has timed."""
        carrier = self.carrier
        for kind in ALIKE:
            if carrier is not None and self.transfers and kind in carrier.samples:
                self.samples[kind], self.rounds[kind] = carrier.samples[kind], carrier.rounds[kind]
                self.loops[kind], self.shared = carrier.loops[kind], True

    def take(self, kind, seconds, number):
        """A sample, taken in the round of that number."""
        self.samples.setdefault(kind, []).append(seconds)
        self.rounds.setdefault(kind, []).append(number)
        if kind == "compute":
            launched = self.samples.get("throughput", [0.0])[-1]  # the host may take longer to launch than the device
            self.spent_s += max(seconds, launched) * self.loops[kind]

    def saw(self, called, errors):
        """The answer of a call whose results were compared."""
        known = filter(None, (self.errors, errors))
        self.errors = max(known, key=lambda each: closeness(each.max_error, each.tolerance))
        self.flushes |= called.flush_to_zero

    def observe(self, **found):
        """Take down what was found of it beside its times."""
        self.observed |= found

    def fail(self, outcome, reason, *, predicted_s=None, timeout_s=None):
        """Take down why it ends; with what a call was predicted to take, or the deadline that it did not meet."""
        self.outcome, self.reason, self.predicted_s, self.timeout_s = outcome, reason, predicted_s, timeout_s

    def too_slow(self, seconds, how):
        limit = self.protocol.max_call_s
        reason = f"one call {how} {seconds:.3g} s, the limit max_call_s is {limit:g} s"
        self.fail("too_slow", reason, predicted_s=seconds)

    def loops_due(self):
        """{kind: loops} of the kinds of time that are sampled in a round, and those of them that an untimed call
        precedes."""
        loops = {kind: count for kind, count in self.loops.items() if kind == "compute" or self._is_due(kind)}
        primed = [
            kind
            for kind, count in loops.items()
            if self.refill_s > REFILL_SHARE * count * self.call_s and count <= PRIMED_LOOPS
        ]
        return loops, primed

    def _is_due(self, kind):
        """Whether a kind of time beside `compute` is sampled.

        The first time always; until there are the fewest, where they do not take too long; then as long as it takes no
        more than its share of compute's time. Launching is sampled often enough for its median to survive an
        interruption.
        """
        taken = self.samples.get(kind)
        if not taken:
            return True
        if kind == "launch" and len(taken) < LAUNCH_SAMPLES and self.loops[kind] * self.call_s <= SHORT_S:
            return True
        spent_s = self.loops[kind] * sum(taken)
        if len(taken) < self.fewest and spent_s * (1 + 1 / len(taken)) <= OVERRUN * self.protocol.budget_s:
            return True
        compute = self.loops["compute"] * sum(self.samples["compute"])
        allowed = SHARE_OF_COMPUTE[kind in PRIMARY] * compute + self.protocol.budget_s / OTHER_KINDS
        return spent_s <= allowed

    def rounds_wanted(self, fastest_s):
        """In how many rounds it is sampled, where the fastest case of the problem takes so many seconds."""
        if self.long:
            return max(0, LONG_CALLS - len(self.samples["compute"]))
        protocol, sample_s = self.protocol, self.loops["compute"] * self.call_s
        within_budget, is_far = int(protocol.budget_s / sample_s), self.call_s > FAR * fastest_s
        if within_budget < protocol.min_rounds:
            most_s = protocol.budget_s * (1 if is_far else OVERRUN)
            return max(FEWEST_SAMPLES, min(protocol.min_rounds, int(most_s / sample_s)))
        # Apart from launching, a GPU hardly scatters within a process.
        if is_far or not self.on_host:
            return protocol.min_rounds
        return min(within_budget, MOST_ROUNDS)

    def rows_due(self, confirming=False):
        """The Rows of calls that tell whether it keeps results or leaves calls out, if that is to be told."""
        times, share = CONFIRMED if confirming else SUSPECTED
        fitting = [times * count for count, most_s in PAIRS if 2 * count * self.call_s <= most_s]
        pairs = fitting[0] if fitting and self.keeping else 0
        row = 1 + secrets.randbelow(max(2, min(MOST_IN_ROW, int(ROW_S / self.call_s))))
        calls = MOST_IN_ROW * (confirming and self.call_s * pairs <= CONFIRMING_S)
        return Rows(row=row, pairs=pairs, least=max(1, math.ceil(share * pairs)), calls=calls)

    def suspects(self, called):
        """Whether a messages.ChangedCallResult lets it be suspected, of what is then confirmed or not."""
        alone = min((unchanged for _, unchanged in called.pairs), default=0.0)
        left_out = self.on_host and exceeds((alone, self.in_a_row_s), LEAVES_OUT)
        return left_out or called.keeps_results(self.rows_due().least)

    def started(self, build_s, first_call_s):
        """Take down what its worker's first call cost: later ones, of whichever size, find built what that built."""
        self.startup = {"build_s": build_s, "first_call_s": first_call_s} | self.startup

    def settle(self, system_states, environment):
        """Take down what is known at the end, and of its worker's environment."""
        self.system_states = system_states
        self.environment = environment | ({"flush_to_zero": True} if self.flushes else {})

    def entry(self, key, *, repetition, number, run):
        """The journal's entry of what was found out."""
        startup = Startup(**self.startup)
        if self.runs:
            timings = {
                kind: TimedSamples(
                    samples_s=samples,
                    rounds=self.rounds[kind],
                    loops=self.loops[kind],
                    shared=self.shared and kind in ALIKE,
                )
                for kind, samples in self.samples.items()
            }
            measured = {name: getattr(self, name) for name in MEASURED} | self.observed
            states = self.system_states
            result = Measured(startup=startup, timings=timings, system_states=states, **vars(self.errors), **measured)
        else:
            result = Unmeasured(startup=startup, predicted_s=self.predicted_s, timeout_s=self.timeout_s)
        case, outcome, reason = self.case.id, self.outcome, self.reason
        about = {"case": case, "key": key, "repetition": repetition, "number": number, "run": run}
        return JournalEntry(**about, outcome=outcome, reason=reason, result=result)


def lives(bench, cases):
    """A Live for each of `cases`, which are measured on a Bench.

    Energy is counted in the largest problem of a dtype and options: during short calls a GPU mostly waits. Transfers do
    not depend on the block size: they, and energy, are measured with the default and the best one, which the first
    repetition finds out. Whether a case keeps results is told in one repetition, which chance draws.
    """
    predictor, works = bench.predictor, {}
    best = predictor.best_blocks
    for case in cases:
        works.setdefault(_kind(case.problem), set()).add(bench.footprint.work(case.problem))
    for case in cases:
        work, chosen = bench.footprint.work(case.problem), case.parameters.get(BLOCK_SIZE) in (None, *DEFAULT_BLOCKS)
        on_host, beside = bench.device(case).on_host, chosen or case.id in best
        repetitions = (bench.repetitions if on_host else min(bench.repetitions, RESTING)) - (beside and not chosen)
        yield Live(
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
            keeping=case.id not in predictor.told and not secrets.randbelow(max(1, repetitions - predictor.over)),
        )


def carrier(live, lives, converting):
    """The case with which what is ALIKE is timed for `live`: the first that runs of `lives`, those of its problem, with
    the same backend, environment and device; None where that is its own business, as of workers that are `converting`.
    """
    for other in lives if live.case.worker not in converting else ():
        same_place = other.case.where == live.case.where
        if same_place and other.runs and other.transfers and not other.long and other.case.worker not in converting:
            return other if other is not live else None
    return None


def first_of_workers(problems):
    """The ids of each worker's first case in the smallest of the `problems`, each a list of Live, of a dtype and
    options."""
    smallest, found = {}, {}
    for several in problems:
        key, work = _kind(several[0].case.problem), several[0].work
        if key not in smallest or work < smallest[key][0]:
            smallest[key] = work, several
    for key, (_, several) in smallest.items():
        for live in several:
            found.setdefault((key, live.case.worker), live.case.id)
    return set(found.values())


def _kind(problem):
    return problem.dtype, str(problem.options)
