"""Ratios, intervals, verdicts and choices: pure functions on times grouped by sitting.

`samples` are {sitting: [seconds, ...]}, `times` {sitting: median seconds}. Only what was measured in the same sitting
is divided: machines drift, and within a sitting cases were sampled side by side.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean, variance
from typing import NamedTuple

from scipy.special import stdtrit

from accelbench.statistics import median

FASTER, SLOWER, SAME, AMBIGUOUS = VERDICTS = ("FASTER", "SLOWER", "SAME", "AMBIGUOUS")
CONFIDENCE = 0.95
DIFFERENCE = 0.02  # smaller differences are not called FASTER or SLOWER, however sure
SAME_WITHIN = 0.02
SAME_WITHIN_VIRTUAL = 0.05  # a virtual machine's own unrest does not allow a finer SAME


class Comparison(NamedTuple):
    """How many times faster the second of two cases is: ratio with its 95 % interval, and the verdict.

    From one shared sitting there is a ratio and no more; from none, nothing.
    """

    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str | None = None


def medians(samples):
    """{sitting: median} of {sitting: samples}, without sittings that hold no sample.

    Nor those whose median is not positive: a clock too coarse for the call has measured nothing.
    """
    found = {sitting: median(values) for sitting, values in samples.items() if len(values)}
    return {sitting: value for sitting, value in found.items() if value > 0}


def speedup(baseline_samples, case_samples, same_within=SAME_WITHIN):
    """Comparison of a case with its baseline from the samples of both, {sitting: [seconds, ...]} each."""
    return compare(medians(baseline_samples), medians(case_samples), same_within)


def compare(baseline, case, same_within=SAME_WITHIN):
    """Comparison of two cases from their times, paired by sitting.

    The ratio is the geometric mean over sittings of baseline / case, its interval a t interval over the log ratios:
    the spread between fresh processes, not that of samples within one, is what the next run will show.
    """
    logs = _log_ratios(baseline, case)
    if len(logs) < 2:
        return Comparison(math.exp(logs[0])) if logs else Comparison()
    error = math.sqrt(variance(logs) / len(logs))
    return _judge(fmean(logs), error, len(logs) - 1, same_within)


def compare_apart(first, second, baseline, same_within=SAME_WITHIN):
    """Comparison of two cases that were measured in different sittings, each beside the same baseline.

    The difference of their mean log ratios to the baseline, with Welch's t interval (B. L. Welch, Biometrika 34, 1947).
    """
    first_logs, second_logs = _log_ratios(baseline, first), _log_ratios(baseline, second)
    if not first_logs or not second_logs:
        return Comparison()
    difference = fmean(second_logs) - fmean(first_logs)
    if len(first_logs) < 2 or len(second_logs) < 2:
        return Comparison(math.exp(difference))
    parts = [(variance(logs) / len(logs), len(logs) - 1) for logs in (first_logs, second_logs)]
    total = sum(part for part, _ in parts)
    spread = sum(part**2 / freedom for part, freedom in parts)
    return _judge(difference, math.sqrt(total), total**2 / spread if spread else 1, same_within)


def between(first, second, baseline=None, same_within=SAME_WITHIN):
    """Comparison of any two cases: paired where they share two sittings, else through the baseline if there is one."""
    if baseline is None or len(first.keys() & second.keys()) >= 2:
        return compare(first, second, same_within)
    return compare_apart(first, second, baseline, same_within)


def order(times, baseline=None):
    """The keys of {key: times}, fastest first by geometric mean.

    Keys measured in different sittings are ranked by their ratios to the baseline, and those that share no sitting
    with it are left out; without a baseline their plain times must do.
    """
    times = {key: own for key, own in times.items() if own}
    side_by_side = len({frozenset(own) for own in times.values()}) <= 1
    levels = {}
    if baseline and not side_by_side:
        ratios = {key: _log_ratios(own, baseline) for key, own in times.items()}
        levels = {key: fmean(logs) for key, logs in ratios.items() if logs}
    levels = levels or {key: fmean(map(math.log, own.values())) for key, own in times.items()}
    return sorted(levels, key=levels.get)


class Winner(NamedTuple):
    """The fastest of several cases, by key.

    decision      "winner"; "tie"; "one_process": nothing was measured in two sittings; "no_result": nothing at all
    fastest       the one with the lowest time, whatever that is worth
    tie           the fastest and all it cannot be told from, fastest first; empty without a verdict
    unsettled     those it cannot be told from only because they scatter: they are slower than one proven slower
    incomparable  those that no interval connects with the fastest
    """

    decision: str
    fastest: object = None
    tie: tuple = ()
    unsettled: tuple = ()
    incomparable: tuple = ()


def find_winner(times, baseline=None, same_within=SAME_WITHIN):
    """The Winner among {key: times}: the fastest by median, where no other ties with it."""
    repeated = {key: own for key, own in times.items() if len(own) >= 2}
    ranked = order(repeated, baseline)
    if not ranked:
        ranked = order(times, baseline)
        return Winner("one_process", ranked[0]) if ranked else Winner("no_result")
    fastest = ranked[0]
    found = {key: between(times[key], times[fastest], baseline, same_within).verdict for key in ranked[1:]}
    tie, unsettled = _tied(found)
    incomparable = [key for key in times if key not in ranked] + [key for key in found if found[key] is None]
    decision = "tie" if tie else "winner"
    return Winner(decision, fastest, (fastest, *tie), unsettled, tuple(incomparable))


def _tied(verdicts):
    """(those that tie with the best, those that are unsettled), from {key: whether the best is FASTER}, fastest first.

    What is slower than something proven slower is no match for the best, however little its own scatter lets one tell.
    """
    tie, unsettled, beaten = [], [], False
    for key, verdict in verdicts.items():
        if verdict == FASTER:
            beaten = True
        elif verdict is not None:
            (unsettled if beaten else tie).append(key)
    return tuple(tie), tuple(unsettled)


class Choice(NamedTuple):
    """The best parameters among several.

    best      its key
    times     {key: times} to report, of every candidate
    held_out  whether those come from other rounds than the ones `best` was chosen by
    tie       best and all that tie with it, as in Winner; empty without a verdict
    """

    best: object
    times: dict
    held_out: bool
    tie: tuple = ()


def choose(
    candidates: Mapping[object, Mapping[str, tuple[Sequence, Sequence]]], baseline=None, same_within=SAME_WITHIN
):
    """The Choice among {key: {sitting: (samples, rounds)}}, or None where nothing was sampled.

    Chosen by the even rounds and reported from the odd ones: the lowest of many noisy medians is too low, and the more
    parameters are tried the more so. Where some candidate has too few samples to halve, all rounds serve for both.
    """
    everything = {key: medians({s: samples for s, (samples, _) in own.items()}) for key, own in candidates.items()}
    everything = {key: times for key, times in everything.items() if times}
    if len(everything) < 2:
        return next((Choice(key, everything, False, _alone(key, times)) for key, times in everything.items()), None)
    even, odd = ({key: _half(candidates[key], parity) for key in everything} for parity in (0, 1))
    held_out = all(even[key].keys() == odd[key].keys() == everything[key].keys() for key in everything)
    chosen_by, times = (even, odd) if held_out else (everything, everything)
    # What lasted one sitting only can be called neither the best nor no worse, so it must not shadow what can.
    repeated = {key: own for key, own in chosen_by.items() if len(own) >= 2}
    best = order(repeated or chosen_by, baseline)[0]
    if best not in repeated:
        return Choice(best, times, held_out)
    others = (key for key in order(times, baseline) if key != best)
    verdicts = {key: between(times[key], times[best], baseline, same_within).verdict for key in others}
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
    return [math.log(numerator[sitting] / denominator[sitting]) for sitting in numerator if sitting in denominator]


def _judge(mean, error, freedom, same_within):
    half = _quantile(freedom) * error
    ratio, low, high = math.exp(mean), math.exp(mean - half), math.exp(mean + half)
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
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def _half(sittings, parity):
    return medians(
        {
            sitting: [sample for sample, number in zip(samples, rounds, strict=True) if number % 2 == parity]
            for sitting, (samples, rounds) in sittings.items()
        }
    )


def _alone(key, times):
    return (key,) if len(times) >= 2 else ()
