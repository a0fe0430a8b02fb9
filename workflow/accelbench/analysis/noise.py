"""What says that the machine changed while a problem was measured: its references, and what others had of the CPUs."""

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from accelbench.model.record import Record, problem_id, slug
from accelbench.model.results import Results
from accelbench.statistics import median, student_interval

NOISE = 0.03  # a shift of a reference by more than this marks a problem noisy,
DISTURBANCE = 0.1  # and so does more than this share of the CPUs' time that went to others, on this machine or its host
FASTER_LATER = 3.0  # times as long in one repetition as in each later one is marked
DRIFT = 1.02  # times as long, or as short, is the last third of the rounds of a case that drifts
LEAST_THIRD = 2  # rounds of a third that is compared
HALF = 4  # samples of a repetition that are a part of their own, where it has twice as many
HOST = "cpu"  # the device on which references say how the host's cores were
PERMUTATIONS, FALSE_ALARMS = 4999, 0.05  # of a problem


def is_faster_later(case):
    """Whether one repetition of a case took FASTER_LATER times as long as each later one, as if results were kept in
    between; None without a later one."""
    times = [median(list(samples.values())) for samples in case.samples("compute").values()]
    return any(time > FASTER_LATER * max(times[i:]) for i, time in enumerate(times[:-1], 1)) if times[1:] else None


def drifts(case):
    """Whether the last third of a case's rounds took longer or shorter than the first, beyond what repetitions differ
    by; None for fewer than two repetitions of enough rounds."""
    taken = [list(rounds.values()) for rounds in case.samples("compute").values() if len(rounds) >= 3 * LEAST_THIRD]
    thirds = [(samples[: len(samples) // 3], samples[-(len(samples) // 3) :]) for samples in taken]
    if len(thirds) < 2:
        return None
    low, high = student_interval([math.log(median(last) / median(first)) for first, last in thirds], 0.99)
    return low > DRIFT or high < 1 / DRIFT


def shift(repetitions, false_alarms=FALSE_ALARMS):
    """By how much a reference was slower or faster for a while, relative: the medians of a stretch and of the rest,
    the largest of all stretches that stand out more than by chance. (The one that stands out most may be long and
    hardly slower, and hide a short one that took twice as long.)

    repetitions   its samples in each, in seconds, in the order in which they were taken

    A stretch is one or several repetitions in a row, or halves of such that have enough samples. 0.0 where chance alone
    lets any stand out as much in more than `false_alarms` of all orders of the samples (the largest standardised sum of
    ranks, whose distribution is found by permuting them); None where so few could not show any change.
    """
    parts = [part for samples in repetitions for part in _parts(samples)]
    sizes, logs = tuple(map(len, parts)), np.log(np.concatenate([*parts, []]))
    bound = _bound(sizes, false_alarms)
    if bound is None:
        return None
    (outstanding,), stretches = _outstanding(logs.argsort().argsort()[None, :], sizes)
    shifts = [_apart(logs, *stretch) for stretch, by in zip(stretches, outstanding, strict=True) if by > bound]
    return float(np.expm1(max(shifts, default=0.0)))


def _apart(logs, begin, end):
    """How far the median of a stretch is from that of the rest."""
    return abs(np.median(logs[begin:end]) - np.median(np.concatenate([logs[:begin], logs[end:]])))


def _parts(samples):
    middle = len(samples) // 2
    return [samples[:middle], samples[middle:]] if middle >= HALF else [samples]


def _outstanding(ranks, sizes):
    """How much each stretch stands out in each row of ranks, in standard deviations by chance; (begin, end) of each."""
    edges, count = np.cumsum([0, *sizes]), sum(sizes)
    pairs = [(a, b) for a, b in itertools.combinations(edges.tolist(), 2) if b - a < count]
    begins, ends = np.array(pairs).T
    sums = np.concatenate([np.zeros((len(ranks), 1)), np.cumsum(ranks, axis=1)], axis=1)
    inside = ends - begins
    expected = inside * (count - 1) / 2
    deviations = np.sqrt(inside * (count - inside) * (count + 1) / 12)
    return np.abs(sums[:, ends] - sums[:, begins] - expected) / deviations, pairs


def _bound(sizes, false_alarms):
    """What the stretch that stands out most exceeds by chance in that share of all orders of samples; None where even
    the clearest change would not exceed it."""
    if len(sizes) < 2:
        return None
    by_chance, clearest = _by_chance(sizes)
    bound = by_chance[PERMUTATIONS - int(false_alarms * (PERMUTATIONS + 1))]
    return bound if clearest > bound else None


@cache
def _by_chance(sizes):
    """How much the stretch that stands out most does so in orders of samples by chance, sorted, and in the clearest."""
    count = sum(sizes)
    ranks = np.random.default_rng(count).permuted(np.tile(np.arange(count), (PERMUTATIONS, 1)), axis=1)
    clearest = [_outstanding(np.roll(np.arange(count), end)[None, :], sizes)[0].max() for end in np.cumsum(sizes)]
    return np.sort(_outstanding(ranks, sizes)[0].max(axis=1)), max(clearest)


def judged(results: Results) -> Iterator[Record]:
    """Yield the records of a machine, each with the shift of the references that were sampled beside it, and with
    whether this shift or other processes make it noisy. A record keeps its own values where neither is known."""
    known, host_devices = {}, results.machine.host_devices
    for record in results.records:
        if record.outcome != "ok":
            yield record
            continue
        device = record.device or HOST
        apart = device not in host_devices and not (record.synchronises or record.unseen)
        problem = problem_id(record.kernel, options=record.options, size=record.size, dtype=record.dtype)
        asked = problem, tuple(record.repetitions), device if apart else HOST
        if asked not in known:
            watched = (results.watched.get((repetition, problem)) for repetition in record.repetitions)
            known[asked] = of_problem(list(filter(None, watched)), results.batches, asked[-1])
        yield _with(record, known[asked], apart)


def _with(record, found, apart):
    """A record, its device's times `apart` from the host's, with the shift that was found beside it."""
    environment = record.environment
    shifts = environment.reference_shift if found is None else [found] * len(record.repetitions)
    states = [] if apart else [state for states in environment.system_state for state in states]
    noisy = is_noisy([shift for shift in shifts if shift is not None], states)
    environment = environment.model_copy(update={"reference_shift": shifts})
    return record.model_copy(update={"environment": environment, "noisy": record.noisy if noisy is None else noisy})


def of_problem(watched, runs, device=HOST):
    """The largest shift of what was sampled on a device beside a problem in its repetitions, several WatchedProblem;
    None where it cannot be told. Those of different `runs`, {repetition: name}, are not held against each other: how
    far a machine is another one an hour later is no unrest, and has a part of the intervals to itself (`scatter`)."""
    found = {}
    for each in watched:
        run = runs.get(each.repetition, "")
        for name, samples in each.references.items():
            if slug(device) in name.split("/"):
                found.setdefault((run, name), []).append(samples.samples_s)
        for peak in each.peaks:
            if peak.device == device:
                found.setdefault((run, peak.name, peak.threads), []).append(peak.samples_s)
    shifts = [shift(repetitions, FALSE_ALARMS / len(found)) for repetitions in found.values()]
    return max((each for each in shifts if each is not None), default=None)


def is_noisy(shifts, states):
    """Whether a problem's references shifted, by `shifts`, or others had too much of the CPUs, by the system `states`;
    None where nothing is known of either."""
    shares = [share for share in map(share_of_others, states) if share is not None]
    if not shifts and not shares:
        return None
    return max(shifts, default=0.0) > NOISE or max(shares, default=0.0) > DISTURBANCE


def share_of_others(state):
    """Return the share of the CPUs' time that other processes had, on the host of a virtual machine, too; None if it is
    not known."""
    return None if state.others_share is None else state.others_share + _stolen(state)


def _stolen(state):
    """The share of the CPUs' time that others on the host had, by what they had of the time that was wanted here."""
    stolen, busy = state.steal_share or 0.0, state.busy_share or 0.0
    return busy * stolen / (1 - stolen) if stolen < 1 else 1.0
