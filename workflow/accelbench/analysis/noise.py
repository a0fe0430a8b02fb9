"""Signs that the machine changed during a measurement: times of reference cases, and CPU time of other processes."""

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from accelbench.model.record import Record, problem_id, slug
from accelbench.model.results import Results
from accelbench.statistics import median, student_interval

NOISE = 0.03  # Relative change of a reference case's time above which a case is noisy
DISTURBANCE = 0.1  # Share of CPU time used by other processes, also on a VM's host, above which a case is noisy
FASTER_LATER = 3.0  # Ratio of a repetition's time to the longest later time above which is_faster_later is true
DRIFT = 1.02  # Ratio between the times of the first and the last third of the rounds above which a case drifts
LEAST_THIRD = 2  # Minimum number of rounds in each third of a repetition
HALF = 4  # Minimum number of samples in half a repetition; shorter repetitions are not split
HOST = "cpu"  # Device of the reference cases that run on the host's cores
# Number of random permutations, and probability of a false alarm per problem and device
PERMUTATIONS, FALSE_ALARMS = 4999, 0.05


def is_faster_later(case):
    """Return whether a repetition took more than FASTER_LATER times as long as every later repetition.

    If later repetitions are much faster, their calls may reuse old results. Return None for fewer than two
    repetitions.
    """
    times = [median(list(samples.values())) for samples in case.samples("compute").values()]
    return any(time > FASTER_LATER * max(times[i:]) for i, time in enumerate(times[:-1], 1)) if times[1:] else None


def drifts(case):
    """Return whether the times of the first and the last third of a case's rounds differ by a factor above DRIFT.

    The test uses a 99 % interval over repetitions. Return None if fewer than two repetitions have enough rounds.
    """
    taken = [list(rounds.values()) for rounds in case.samples("compute").values() if len(rounds) >= 3 * LEAST_THIRD]
    thirds = [(samples[: len(samples) // 3], samples[-(len(samples) // 3) :]) for samples in taken]
    if len(thirds) < 2:
        return None
    low, high = student_interval([math.log(median(last) / median(first)) for first, last in thirds], 0.99)
    return low > DRIFT or high < 1 / DRIFT


def shift(repetitions, false_alarms=FALSE_ALARMS):
    """Return the largest significant relative change of a reference case's time.

    Return 0.0 if no change is significant, and None if there are too few samples to show a change.

    repetitions   samples of each repetition in seconds, in the order in which they were taken
    false_alarms  probability that a change is significant by chance

    A change is the difference between the median of a stretch of samples and the median of all other samples. A stretch
    consists of successive repetitions. It may begin or end in the middle of a repetition that has enough samples.

    The test statistic is the largest standardised rank sum of all stretches. Random permutations of the samples give
    the distribution of this statistic. The function returns the largest significant change, not the most
    significant, since a small change that lasted long may be more significant.
    """
    parts = [part for samples in repetitions for part in _parts(samples)]
    sizes, logs = tuple(map(len, parts)), np.log(np.concatenate([*parts, []]))
    bound = _bound(sizes, false_alarms)
    if bound is None:
        return None
    (outstanding,), stretches = _outstanding(logs.argsort().argsort()[None, :], sizes)
    shifts = [_contrast(logs, *stretch) for stretch, by in zip(stretches, outstanding, strict=True) if by > bound]
    return float(np.expm1(max(shifts, default=0.0)))


def _contrast(logs, begin, end):
    """Return the absolute difference between the median log time of a stretch and that of all other samples."""
    return abs(np.median(logs[begin:end]) - np.median(np.concatenate([logs[:begin], logs[end:]])))


def _parts(samples):
    middle = len(samples) // 2
    return [samples[:middle], samples[middle:]] if middle >= HALF else [samples]


def _outstanding(ranks, sizes):
    """Return (standardised rank sums, list of the (begin, end) of each stretch).

    The rank sums have one row for each row of `ranks`, and one column for each stretch.
    """
    edges, count = np.cumsum([0, *sizes]), sum(sizes)
    pairs = [(a, b) for a, b in itertools.combinations(edges.tolist(), 2) if b - a < count]
    begins, ends = np.array(pairs).T
    sums = np.concatenate([np.zeros((len(ranks), 1)), np.cumsum(ranks, axis=1)], axis=1)
    inside = ends - begins
    expected = inside * (count - 1) / 2
    deviations = np.sqrt(inside * (count - inside) * (count + 1) / 12)
    return np.abs(sums[:, ends] - sums[:, begins] - expected) / deviations, pairs


def _bound(sizes, false_alarms):
    """Return the critical value of the largest standardised rank sum; None if no change can exceed this value."""
    if len(sizes) < 2:
        return None
    by_chance, clearest = _by_chance(sizes)
    bound = by_chance[PERMUTATIONS - int(false_alarms * (PERMUTATIONS + 1))]
    return bound if clearest > bound else None


@cache
def _by_chance(sizes):
    """Return (sorted largest rank sums of random permutations, rank sum if all samples rise at one change)."""
    count = sum(sizes)
    ranks = np.random.default_rng(count).permuted(np.tile(np.arange(count), (PERMUTATIONS, 1)), axis=1)
    clearest = [_outstanding(np.roll(np.arange(count), end)[None, :], sizes)[0].max() for end in np.cumsum(sizes)]
    return np.sort(_outstanding(ranks, sizes)[0].max(axis=1)), max(clearest)


def judged(results: Results) -> Iterator[Record]:
    """Yield the records of a machine, with `reference_shift` and `noisy` set in each ok record.

    A record is noisy if the times of the reference cases or peaks beside it changed, or if other processes used much
    CPU time. A value that cannot be computed stays as recorded.
    """
    known, host_devices = {}, results.machine.host_devices
    for record in results.records:
        if record.outcome != "ok":
            yield record
            continue
        device = record.device or HOST
        host_independent = device not in host_devices and not (record.synchronises or record.unseen)
        problem = problem_id(record.kernel, options=record.options, size=record.size, dtype=record.dtype)
        asked = problem, tuple(record.repetitions), device if host_independent else HOST
        if asked not in known:
            watched = (results.watched.get((repetition, problem)) for repetition in record.repetitions)
            known[asked] = of_problem(list(filter(None, watched)), results.batches, asked[-1])
        yield _with(record, known[asked], host_independent)


def _with(record, reference_shift, host_independent):
    """Return a record with `reference_shift` and `noisy` set.

    host_independent  whether the record's times are independent of the host
    """
    environment = record.environment
    shifts = environment.reference_shift if reference_shift is None else [reference_shift] * len(record.repetitions)
    states = [] if host_independent else [state for states in environment.system_state for state in states]
    noisy = is_noisy([shift for shift in shifts if shift is not None], states)
    environment = environment.model_copy(update={"reference_shift": shifts})
    return record.model_copy(update={"environment": environment, "noisy": record.noisy if noisy is None else noisy})


def of_problem(watched, runs, device=HOST):
    """Return the largest `shift` of reference cases and peaks on `device` in a problem's rounds; None if unknown.

    watched  one WatchedProblem for each repetition: samples of reference cases and peaks in the rounds of the problem
    runs     {repetition: name of its run}. Samples of different runs are not compared, since the module `scatter`
             accounts for the variation between runs.
    """
    series = {}
    for problem in watched:
        run = runs.get(problem.repetition, "")
        for name, samples in problem.references.items():
            if slug(device) in name.split("/"):
                series.setdefault((run, name), []).append(samples.samples_s)
        for peak in problem.peaks:
            if peak.device == device:
                series.setdefault((run, peak.name, peak.threads), []).append(peak.samples_s)
    shifts = [shift(repetitions, FALSE_ALARMS / len(series)) for repetitions in series.values()]
    return max((change for change in shifts if change is not None), default=None)


def is_noisy(shifts, states):
    """Return whether a shift exceeds NOISE or other processes' CPU time exceeds DISTURBANCE; None if both are unknown.

    shifts  relative changes of the times of reference cases
    states  system states, which contain the CPU time of other processes
    """
    shares = [share for share in map(share_of_others, states) if share is not None]
    if not shifts and not shares:
        return None
    return max(shifts, default=0.0) > NOISE or max(shares, default=0.0) > DISTURBANCE


def share_of_others(state):
    """Return the share of CPU time used by other processes, also on a virtual machine's host; None if unknown."""
    return None if state.others_share is None else state.others_share + _stolen(state)


def _stolen(state):
    """Return the share of CPU time that other users of a virtual machine's host took; 0 if `steal_share` is unknown."""
    stolen, busy = state.steal_share or 0.0, state.busy_share or 0.0
    return busy * stolen / (1 - stolen) if stolen < 1 else 1.0
