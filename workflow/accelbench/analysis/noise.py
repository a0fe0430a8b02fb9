"""Signs that the machine changed while a problem was measured: reference cases and CPU time of other processes."""

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from accelbench.model.record import Record, problem_id, slug
from accelbench.model.results import Results
from accelbench.statistics import median, student_interval

NOISE = 0.03  # Relative shift of a reference above which a problem is noisy
DISTURBANCE = 0.1  # Share of CPU time of other processes, also on a VM's host, above which a problem is noisy
FASTER_LATER = 3.0  # Ratio of one repetition's time to the time of each later one above which a case is marked
DRIFT = 1.02  # Ratio of the last third of the rounds to the first, or its inverse, above which a case drifts
LEAST_THIRD = 2  # Minimum number of rounds in a compared third
HALF = 4  # Minimum number of samples in each half of a repetition that is split into halves
HOST = "cpu"  # Device of the reference cases that run on the host's cores
PERMUTATIONS, FALSE_ALARMS = 4999, 0.05  # Number of permutations, and probability of a false alarm for a problem


def is_faster_later(case):
    """Return whether a repetition took more than FASTER_LATER times as long as each later one, as if later calls reused
    old results; None for a single repetition."""
    times = [median(list(samples.values())) for samples in case.samples("compute").values()]
    return any(time > FASTER_LATER * max(times[i:]) for i, time in enumerate(times[:-1], 1)) if times[1:] else None


def drifts(case):
    """Return whether the last third of a case's rounds took longer or shorter than the first by more than DRIFT, by a
    99 % interval over repetitions; None if fewer than two repetitions have enough rounds."""
    taken = [list(rounds.values()) for rounds in case.samples("compute").values() if len(rounds) >= 3 * LEAST_THIRD]
    thirds = [(samples[: len(samples) // 3], samples[-(len(samples) // 3) :]) for samples in taken]
    if len(thirds) < 2:
        return None
    low, high = student_interval([math.log(median(last) / median(first)) for first, last in thirds], 0.99)
    return low > DRIFT or high < 1 / DRIFT


def shift(repetitions, false_alarms=FALSE_ALARMS):
    """Return the largest significant change of a reference's time in a stretch of samples, relative to the rest.

    Return 0.0 if no change is significant, and None if there are too few samples to show a change.

    repetitions   samples of each repetition in seconds, in the order in which they were taken
    false_alarms  probability of a significant change by chance

    A stretch consists of successive repetitions. It may begin or end in the middle of a repetition that has enough
    samples. Its median is compared with the median of the other samples. The test statistic is the largest
    standardised rank sum of all stretches. Random permutations of the samples give its distribution. The largest
    significant change is returned instead of the most significant one, which may be long and slight.
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
    """Return the absolute difference between the median of a stretch and the median of the other samples."""
    return abs(np.median(logs[begin:end]) - np.median(np.concatenate([logs[:begin], logs[end:]])))


def _parts(samples):
    middle = len(samples) // 2
    return [samples[:middle], samples[middle:]] if middle >= HALF else [samples]


def _outstanding(ranks, sizes):
    """Return (standardised rank sums, one row for each row of `ranks`; (begin, end) of each stretch)."""
    edges, count = np.cumsum([0, *sizes]), sum(sizes)
    pairs = [(a, b) for a, b in itertools.combinations(edges.tolist(), 2) if b - a < count]
    begins, ends = np.array(pairs).T
    sums = np.concatenate([np.zeros((len(ranks), 1)), np.cumsum(ranks, axis=1)], axis=1)
    inside = ends - begins
    expected = inside * (count - 1) / 2
    deviations = np.sqrt(inside * (count - inside) * (count + 1) / 12)
    return np.abs(sums[:, ends] - sums[:, begins] - expected) / deviations, pairs


def _bound(sizes, false_alarms):
    """Return the critical value of the largest standardised rank sum; None if no change can exceed it."""
    if len(sizes) < 2:
        return None
    by_chance, clearest = _by_chance(sizes)
    bound = by_chance[PERMUTATIONS - int(false_alarms * (PERMUTATIONS + 1))]
    return bound if clearest > bound else None


@cache
def _by_chance(sizes):
    """Return (sorted largest rank sums of random permutations, largest rank sum of the clearest possible change)."""
    count = sum(sizes)
    ranks = np.random.default_rng(count).permuted(np.tile(np.arange(count), (PERMUTATIONS, 1)), axis=1)
    clearest = [_outstanding(np.roll(np.arange(count), end)[None, :], sizes)[0].max() for end in np.cumsum(sizes)]
    return np.sort(_outstanding(ranks, sizes)[0].max(axis=1)), max(clearest)


def judged(results: Results) -> Iterator[Record]:
    """Yield the records of a machine. Set the shift of the references beside each ok record, and whether this shift or
    other processes make the record noisy. A value that cannot be computed stays as it was."""
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

    host_independent  whether the host does not affect the record's times
    """
    environment = record.environment
    shifts = environment.reference_shift if reference_shift is None else [reference_shift] * len(record.repetitions)
    states = [] if host_independent else [state for states in environment.system_state for state in states]
    noisy = is_noisy([shift for shift in shifts if shift is not None], states)
    environment = environment.model_copy(update={"reference_shift": shifts})
    return record.model_copy(update={"environment": environment, "noisy": record.noisy if noisy is None else noisy})


def of_problem(watched, runs, device=HOST):
    """Return the largest shift of the references that were sampled on a device beside a problem; None if unknown.

    watched  a WatchedProblem for each repetition
    runs     {repetition: name of its run}; samples of different runs are not compared, since `scatter` adds the
             variation between runs to intervals separately
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
    """Return whether shifts of references, or the CPU time of other processes in system states, make a problem noisy;
    None if neither is known."""
    shares = [share for share in map(share_of_others, states) if share is not None]
    if not shifts and not shares:
        return None
    return max(shifts, default=0.0) > NOISE or max(shares, default=0.0) > DISTURBANCE


def share_of_others(state):
    """Return the share of CPU time of other processes, including those on a virtual machine's host; None if it is
    unknown."""
    return None if state.others_share is None else state.others_share + _stolen(state)


def _stolen(state):
    """Return the share of CPU time that others on the host took, from the stolen and the busy share."""
    stolen, busy = state.steal_share or 0.0, state.busy_share or 0.0
    return busy * stolen / (1 - stolen) if stolen < 1 else 1.0
