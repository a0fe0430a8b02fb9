"""Signs that the machine changed while a problem was measured: reference samples and the CPU time of others."""

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from accelbench.model.record import Record, problem_id, slug
from accelbench.model.results import Results
from accelbench.statistics import median, student_interval

NOISE = 0.03  # Relative shift of a reference above which a problem is noisy
DISTURBANCE = 0.1  # Share of the CPUs' time that others have, here or on the host, above which a problem is noisy
FASTER_LATER = 3.0  # Ratio of one repetition's time to all later ones above which a case is marked
DRIFT = 1.02  # Ratio of the last third of the rounds to the first, or its inverse, above which a case drifts
LEAST_THIRD = 2  # Minimum number of rounds in a compared third
HALF = 4  # Minimum number of samples in half a repetition that is compared by itself
HOST = "cpu"  # Device of the references that show the state of the host's cores
PERMUTATIONS, FALSE_ALARMS = 4999, 0.05  # Number of permutations, and probability of a false alarm for a problem


def is_faster_later(case):
    """Return whether one repetition took FASTER_LATER times as long as each later one, as if results had been kept;
    None without a later one."""
    times = [median(list(samples.values())) for samples in case.samples("compute").values()]
    return any(time > FASTER_LATER * max(times[i:]) for i, time in enumerate(times[:-1], 1)) if times[1:] else None


def drifts(case):
    """Return whether the last third of a case's rounds is slower or faster than the first by more than repetitions
    differ; None for fewer than two repetitions with enough rounds."""
    taken = [list(rounds.values()) for rounds in case.samples("compute").values() if len(rounds) >= 3 * LEAST_THIRD]
    thirds = [(samples[: len(samples) // 3], samples[-(len(samples) // 3) :]) for samples in taken]
    if len(thirds) < 2:
        return None
    low, high = student_interval([math.log(median(last) / median(first)) for first, last in thirds], 0.99)
    return low > DRIFT or high < 1 / DRIFT


def shift(repetitions, false_alarms=FALSE_ALARMS):
    """Return the largest significant change of a reference's time during a stretch of samples, relative to the others.

    It is 0.0 if no change is significant, and None if there are too few samples to show one.

    repetitions   samples of each repetition in seconds, in the order in which they were taken
    false_alarms  probability of a significant change by chance

    The median of a stretch is compared with that of the other samples. A stretch is one or several repetitions in a
    row, or halves of repetitions with enough samples. The test statistic is the largest standardised sum of ranks of
    all stretches. Its distribution comes from permutations of the samples. The result is the largest significant
    change. The most significant one may be long and slight.
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
    """Return the absolute difference between the medians of a stretch and of the rest."""
    return abs(np.median(logs[begin:end]) - np.median(np.concatenate([logs[:begin], logs[end:]])))


def _parts(samples):
    middle = len(samples) // 2
    return [samples[:middle], samples[middle:]] if middle >= HALF else [samples]


def _outstanding(ranks, sizes):
    """Return the standardised sums of ranks of each stretch, for each row of ranks, and (begin, end) of stretches."""
    edges, count = np.cumsum([0, *sizes]), sum(sizes)
    pairs = [(a, b) for a, b in itertools.combinations(edges.tolist(), 2) if b - a < count]
    begins, ends = np.array(pairs).T
    sums = np.concatenate([np.zeros((len(ranks), 1)), np.cumsum(ranks, axis=1)], axis=1)
    inside = ends - begins
    expected = inside * (count - 1) / 2
    deviations = np.sqrt(inside * (count - inside) * (count + 1) / 12)
    return np.abs(sums[:, ends] - sums[:, begins] - expected) / deviations, pairs


def _bound(sizes, false_alarms):
    """Return the critical value of the largest standardised sum; None if even the clearest change is below it."""
    if len(sizes) < 2:
        return None
    by_chance, clearest = _by_chance(sizes)
    bound = by_chance[PERMUTATIONS - int(false_alarms * (PERMUTATIONS + 1))]
    return bound if clearest > bound else None


@cache
def _by_chance(sizes):
    """Return the largest standardised sums of permutations, sorted, and that of the clearest change."""
    count = sum(sizes)
    ranks = np.random.default_rng(count).permuted(np.tile(np.arange(count), (PERMUTATIONS, 1)), axis=1)
    clearest = [_outstanding(np.roll(np.arange(count), end)[None, :], sizes)[0].max() for end in np.cumsum(sizes)]
    return np.sort(_outstanding(ranks, sizes)[0].max(axis=1)), max(clearest)


def judged(results: Results) -> Iterator[Record]:
    """Yield the records of a machine, each with the shift of the references beside it, and whether this shift or other
    processes make it noisy. A record keeps its values if neither is known."""
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
    """Return a record with a shift of its references; `host_independent` if the host does not affect its times."""
    environment = record.environment
    shifts = environment.reference_shift if reference_shift is None else [reference_shift] * len(record.repetitions)
    states = [] if host_independent else [state for states in environment.system_state for state in states]
    noisy = is_noisy([shift for shift in shifts if shift is not None], states)
    environment = environment.model_copy(update={"reference_shift": shifts})
    return record.model_copy(update={"environment": environment, "noisy": record.noisy if noisy is None else noisy})


def of_problem(watched, runs, device=HOST):
    """Return the largest shift of the references that were sampled on a device beside a problem; None if unknown.

    watched  a WatchedProblem for each repetition
    runs     {repetition: name of its run}; samples of different runs are not compared, since intervals have a part of
             their own for the variation between runs (`scatter`)
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
    """Return whether the shifts of references, or the CPU time of others in system states, make a problem noisy; None
    if neither is known."""
    shares = [share for share in map(share_of_others, states) if share is not None]
    if not shifts and not shares:
        return None
    return max(shifts, default=0.0) > NOISE or max(shares, default=0.0) > DISTURBANCE


def share_of_others(state):
    """Return the share of the CPUs' time that other processes had, on the host of a virtual machine, too; None if it is
    not known."""
    return None if state.others_share is None else state.others_share + _stolen(state)


def _stolen(state):
    """Return the share of the CPUs' time that others on the host had, from the time that was stolen."""
    stolen, busy = state.steal_share or 0.0, state.busy_share or 0.0
    return busy * stolen / (1 - stolen) if stolen < 1 else 1.0
