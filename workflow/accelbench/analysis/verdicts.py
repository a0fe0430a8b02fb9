"""Ratios, intervals, verdicts and choices: pure functions on times grouped by repetition.

`samples` are {repetition: [seconds, ...]}, `times` {repetition: median seconds}. Only what was measured in the same
repetition is divided: machines drift, and within a repetition cases were sampled side by side.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from accelbench.statistics import median, variance

FASTER, SLOWER, SAME, AMBIGUOUS = VERDICTS = ("FASTER", "SLOWER", "SAME", "AMBIGUOUS")
CONFIDENCE = 0.95
DIFFERENCE = 0.02  # smaller differences are not called FASTER or SLOWER, however sure
SAME_WITHIN = 0.02
SAME_WITHIN_VIRTUAL = 0.05  # a virtual machine's own unrest does not allow a finer SAME


class Comparison(NamedTuple):
    """How many times faster the second of two cases is: ratio with its 95 % interval, and the verdict.

    From one shared repetition there is a ratio and no more; from none, nothing.
    """

    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str | None = None


def medians(samples):
    """{repetition: median} of {repetition: samples}, without repetitions that hold no sample.

    Nor those whose median is not positive: a clock too coarse for the call has measured nothing.
    """
    found = {repetition: median(values) for repetition, values in samples.items() if len(values)}
    return {repetition: value for repetition, value in found.items() if value > 0}


def speedup(baseline_samples, case_samples, same_within=SAME_WITHIN):
    """Comparison of a case with its baseline from the samples of both, {repetition: [seconds, ...]} each."""
    return compare(medians(baseline_samples), medians(case_samples), same_within)


def compare(baseline, case, same_within=SAME_WITHIN):
    """Comparison of two cases from their times, paired by repetition.

    The ratio is the geometric mean over repetitions of baseline / case, its interval a t interval over the log ratios:
    the spread between fresh processes, not that of samples within one, is what the next run will show.
    """
    logs = _log_ratios(baseline, case)
    if len(logs) < 2:
        return Comparison(math.exp(logs[0])) if logs else Comparison()
    half = _quantile(len(logs) - 1) * math.sqrt(variance(logs) / len(logs))
    return _judge(fmean(logs), low=fmean(logs) - half, high=fmean(logs) + half, same_within=same_within)


def compare_indirectly(first, second, baseline, *, same_within=SAME_WITHIN, on_accelerator=False):
    """Comparison of two cases that were measured in different repetitions, each beside the same baseline.

    The difference of their mean log ratios to the baseline, with Welch's t interval (B. L. Welch, Biometrika 34, 1947):
    what made the baseline slower in one of the repetitions made the case slower, too. Not so where a case runs
    `on_accelerator`, on another device than the baseline. There the difference of their mean log times says as much,
    the truth may lie between, and the interval covers those of both.
    """
    shared = [{s: own[s] for s in own if s in baseline} for own in (first, second)]
    if not all(shared):
        return Comparison()
    logs = [(_log_ratios(baseline, own), [-math.log(own[s]) for s in own]) for own in shared]
    found = [_welch(*pair) for pair in zip(*logs, strict=True)][: 1 + on_accelerator]
    difference = fmean(each for each, _ in found)
    if min(map(len, shared)) < 2:
        return Comparison(math.exp(difference))
    low, high = min(each - half for each, half in found), max(each + half for each, half in found)
    return _judge(difference, low=low, high=high, same_within=same_within)


def between(first, second, baseline=None, *, same_within=SAME_WITHIN, on_accelerator=False):
    """Comparison of any two cases: paired where they share two repetitions, else through the baseline if there is
    one."""
    if baseline is None or len(first.keys() & second.keys()) >= 2:
        return compare(first, second, same_within)
    return compare_indirectly(first, second, baseline, same_within=same_within, on_accelerator=on_accelerator)


def order(times, baseline=None, on_accelerator=()):
    """The keys of {key: times}, fastest first by geometric mean.

    Keys measured in different repetitions are ranked as `compare_indirectly` compares them, and those that share no
    repetition with the baseline are left out; without a baseline their plain times must do.
    """
    times = {key: own for key, own in times.items() if own}
    side_by_side = len({frozenset(own) for own in times.values()}) <= 1
    levels = {}
    if baseline and not side_by_side:
        usual = fmean(map(math.log, baseline.values()))
        for key, own in times.items():
            if ratios := _log_ratios(own, baseline):
                plain = fmean(math.log(own[repetition]) for repetition in own if repetition in baseline) - usual
                levels[key] = (fmean(ratios) + plain) / 2 if key in on_accelerator else fmean(ratios)
    levels = levels or {key: fmean(map(math.log, own.values())) for key, own in times.items()}
    return sorted(levels, key=lambda key: levels[key])


class Winner(NamedTuple):
    """The fastest of several cases, by key.

    decision      "winner"; "tie"; "one_process": nothing was measured in two repetitions; "no_result": nothing at all
    fastest       the one with the lowest time, whatever that is worth
    tie           the fastest and all it cannot be told from, fastest first; empty without a verdict
    undetermined     those it cannot be told from only because they scatter: they are slower than one proven slower
    incomparable  those that no interval connects with the fastest
    """

    decision: str
    fastest: Any = None
    tie: tuple = ()
    undetermined: tuple = ()
    incomparable: tuple = ()


def find_winner(times, baseline=None, *, same_within=SAME_WITHIN, on_accelerator=()):
    """The Winner among {key: times}: the fastest by median, where no other ties with it. `on_accelerator` are the keys
    of what runs on another device than the baseline."""
    repeated = {key: own for key, own in times.items() if len(own) >= 2}
    ranked = order(repeated, baseline, on_accelerator)
    if not ranked:
        ranked = order(times, baseline, on_accelerator)
        return Winner("one_process", ranked[0]) if ranked else Winner("no_result")
    fastest = ranked[0]
    found = _against(
        fastest, ranked[1:], times, baseline=baseline, same_within=same_within, on_accelerator=on_accelerator
    )
    tie, undetermined = _tied(found)
    incomparable = [key for key in times if key not in ranked] + [key for key in found if found[key] is None]
    decision = "tie" if tie else "winner"
    return Winner(decision, fastest, (fastest, *tie), undetermined, tuple(incomparable))


def _against(best, others, times, *, baseline, same_within, on_accelerator):
    """{key: verdict}, whether the best is FASTER than each of the others."""

    def verdict(key):
        indirect = best in on_accelerator or key in on_accelerator
        return between(times[key], times[best], baseline, same_within=same_within, on_accelerator=indirect).verdict

    return {key: verdict(key) for key in others}


def _tied(verdicts):
    """(those that tie with the best, those that are undetermined), from {key: whether the best is FASTER}, fastest
    first.

    What is slower than something proven slower is no match for the best, however little its own scatter lets one tell.
    """
    tie, undetermined, beaten = [], [], False
    for key, verdict in verdicts.items():
        if verdict == FASTER:
            beaten = True
        elif verdict is not None:
            (undetermined if beaten else tie).append(key)
    return tuple(tie), tuple(undetermined)


class Choice(NamedTuple):
    """The best parameters among several.

    best      its key
    times     {key: times} to report, of every candidate
    held_out  whether those come from other rounds than the ones `best` was chosen by
    tie       best and all that tie with it, as in Winner; empty without a verdict
    """

    best: Any
    times: dict
    held_out: bool
    tie: tuple = ()


def choose(
    candidates: Mapping[object, Mapping[str, tuple[Sequence, Sequence]]],
    baseline=None,
    *,
    same_within=SAME_WITHIN,
    on_accelerator=(),
):
    """The Choice among {key: {repetition: (samples, rounds)}}, or None where nothing was sampled.

    Chosen by the even rounds and reported from the odd ones: the lowest of many noisy medians is too low, and the more
    parameters are tried the more so. Where some candidate has too few samples to halve, all rounds serve for both.
    `on_accelerator` are the keys of what runs on another device than the baseline.
    """
    everything = {key: medians({s: samples for s, (samples, _) in own.items()}) for key, own in candidates.items()}
    everything = {key: times for key, times in everything.items() if times}
    if len(everything) < 2:
        return next((Choice(key, everything, False, _alone(key, times)) for key, times in everything.items()), None)
    even, odd = ({key: _half(candidates[key], parity) for key in everything} for parity in (0, 1))
    held_out = all(even[key].keys() == odd[key].keys() == everything[key].keys() for key in everything)
    chosen_by, times = (even, odd) if held_out else (everything, everything)
    # What lasted one repetition only can be called neither the best nor no worse, so it must not shadow what can.
    repeated = {key: own for key, own in chosen_by.items() if len(own) >= 2}
    best = order(repeated or chosen_by, baseline, on_accelerator)[0]
    if best not in repeated:
        return Choice(best, times, held_out)
    others = [key for key in order(times, baseline, on_accelerator) if key != best]
    verdicts = _against(best, others, times, baseline=baseline, same_within=same_within, on_accelerator=on_accelerator)
    return Choice(best, times, held_out, (best, *_tied(verdicts)[0]))


class Overtaking(NamedTuple):
    """From which size on a case is faster than the baseline.

    crossover          "always"; "never"; "from": from some size on; "sometimes": at some sizes but not the largest
    not_faster_size    the largest size at which it is not faster
    faster_from_size   the smallest size from which it stays faster
    faster_sizes       every size at which it is
    """

    crossover: str | None = None
    not_faster_size: int | None = None
    faster_from_size: int | None = None
    faster_sizes: tuple[int, ...] = ()


def overtaking(verdicts):
    """Overtaking from {size: verdict}; sizes without a verdict say nothing. Only FASTER counts as faster."""
    verdicts = {size: verdict for size, verdict in sorted(verdicts.items()) if verdict is not None}
    if not verdicts:
        return Overtaking()
    faster = tuple(size for size, verdict in verdicts.items() if verdict == FASTER)
    not_faster = max((size for size in verdicts if size not in faster), default=None)
    stays = min((size for size in faster if not_faster is None or size > not_faster), default=None)
    if not faster:
        crossover = "never"
    elif stays is None:
        crossover = "sometimes"
    else:
        crossover = "always" if not_faster is None else "from"
    return Overtaking(crossover, not_faster, stays, faster)


def _log_ratios(numerator, denominator):
    return [
        math.log(numerator[repetition] / denominator[repetition])
        for repetition in numerator
        if repetition in denominator
    ]


def _welch(first, second):
    """(difference of two means, half its interval); the half is 0 where there are not two values of each."""
    difference = fmean(second) - fmean(first)
    if min(len(first), len(second)) < 2:
        return difference, 0.0
    parts = [(variance(logs) / len(logs), len(logs) - 1) for logs in (first, second)]
    total = sum(part for part, _ in parts)
    spread = sum(part**2 / freedom for part, freedom in parts)
    return difference, _quantile(total**2 / spread if spread else 1) * math.sqrt(total)


def _judge(mean, *, low, high, same_within):
    ratio, low, high = math.exp(mean), math.exp(low), math.exp(high)
    if low > 1 and ratio > 1 + DIFFERENCE:
        verdict = FASTER
    elif high < 1 and ratio < 1 / (1 + DIFFERENCE):
        verdict = SLOWER
    elif low >= 1 / (1 + same_within) and high <= 1 + same_within:
        verdict = SAME
    else:
        verdict = AMBIGUOUS
    return Comparison(ratio, low, high, verdict)


@cache
def _quantile(freedom):
    """Student's t at the upper end of the interval (what scipy.stats.t.ppf calls, without scipy.stats' import)."""
    from scipy.special import stdtrit  # only here: what Snakemake's processes read of lectures comes by this module

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def _half(repetitions, parity):
    return medians(
        {
            repetition: [sample for sample, number in zip(samples, rounds, strict=True) if number % 2 == parity]
            for repetition, (samples, rounds) in repetitions.items()
        }
    )


def _alone(key, times):
    return (key,) if len(times) >= 2 else ()
