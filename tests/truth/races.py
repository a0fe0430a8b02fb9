"""Races with simulated times whose truth is known: coverage of intervals, false verdicts, and first looks.

A sweep has problems of 24 cases in seven backends. NumPy has two twins, and rivals that are 2, 5 and 10 % faster. The
logarithm of a time is the sum of the true value, the drift of the repetition and the scatter of the process. A few
processes also have an outlier. The variance of the scatter is drawn from the prior for each case. accelbench computes
decisions and intervals.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from planting import Row, at_least, at_most
from pretended_results import machine, metadata, record
from replay import race

from accelbench.analysis.gathering import beside_baselines, gather, pools
from accelbench.analysis.priors import Moments
from accelbench.analysis.verdicts import FASTER, SLOWER
from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata
from accelbench.model.results import Results

PROBLEMS, CASES, REPETITIONS = 14, 24, 5
SWEEPS = 6
BACKENDS = ("numpy", "cffi", "cython", "numba", "ctypes", "pythran", "nanobind")
TWINS, PLANTED = (1, 2), {3: 2, 4: 5, 5: 10}  # cases that are NumPy's twins; {case: percent faster than NumPy}
COVERED, FALSE, OPPOSITE, LOSS, LOST = 0.93, 0.03, 0.002, 0.02, 0.01
GPU = "NVIDIA H200"


@dataclass(frozen=True)
class Scene:
    """Distribution of times.

    deviation  s0 of the prior
    freedom    degrees of freedom d0 of the prior
    drift      standard deviation of the step from one repetition to the next, common to all cases of a problem
    outliers   share of processes that are far slower than others
    device     whether all cases except the baseline run on a GPU
    """

    deviation: float
    freedom: float
    drift: float = 0.03
    outliers: float = 0.01
    device: bool = False


SCENES = {
    "two cores": Scene(0.023, 1.6),
    "two cores, outliers and drift": Scene(0.023, 1.6, drift=0.1, outliers=0.05),
    "beside a GPU": Scene(0.1, 3.0, drift=0.05, outliers=0.02),
    "device": Scene(0.012, 1.2, drift=0.0, outliers=0.0, device=True),
}


def truth(generator):
    """Return logarithms of true times, (PROBLEMS, CASES). In every second problem NumPy is among the fastest cases."""
    times = np.log(1.2) + generator.random((PROBLEMS, CASES)) * np.log(25)
    times[:, 6:9] = np.log([1.02, 1.05, 1.10])
    times[:, 10:13] = 0.0
    times[:, 0] = np.where(np.arange(PROBLEMS) % 2, 0.0, np.log(3.0))
    for place in TWINS:
        times[:, place] = times[:, 0]
    for place, more in PLANTED.items():
        times[:, place] = times[:, 0] - np.log1p(more / 100)
    return times - 10.0


def sampled(scene, true, generator):
    """Return logarithms of times by repetition, (PROBLEMS, CASES, REPETITIONS)."""
    shape = (*true.shape, REPETITIONS)
    chance = np.maximum(generator.chisquare(scene.freedom, (*true.shape, 1)), 0.02)
    luck = np.minimum(scene.deviation * np.sqrt(scene.freedom / chance), 1.0) / math.sqrt(2)
    logs = true[..., None] + luck * generator.standard_normal(shape)
    logs += scene.drift * np.cumsum(generator.standard_normal((PROBLEMS, 1, REPETITIONS)), axis=-1)
    return logs + (generator.random(shape) < scene.outliers) * generator.exponential(0.3, shape)


def results_of(scene, logs):
    """Return (Results, {(implementation, size): (problem, case)}) of a sweep with these logarithms of times."""
    names, places, records = [f"x-r{n}g1" for n in range(1, REPETITIONS + 1)], {}, []
    for problem, case in np.ndindex(logs.shape[:2]):
        backend = BACKENDS[0 if case < 3 else case % len(BACKENDS)]
        where = {"device": GPU, "threads": None} if scene.device and case else {}
        own = record(
            f"{backend}_{case}", problem + 1, repetitions=names, compute=[*np.exp(logs[problem, case])], **where
        )
        places[own.implementation, own.size] = problem, case
        records.append(own)
    known = {"thing": KernelMetadata.model_validate(metadata("thing", "numpy_0"))}
    return Results(Machine.model_validate(machine()), known, records), places


@dataclass
class Counts:
    """Lists of booleans (None if unknown), collected over sweeps. `measured` lists shares of measured repetitions."""

    survivors: list
    left: list
    looks: list
    known_looks: list
    twins: list
    opposite: list
    losses: list
    measured: list


def covered(case, true):
    """Return whether the interval of a case's speedup contains the true speedup; None without an interval."""
    found = case.speedup("compute")
    return None if found.low is None or found.high is None else found.low <= true <= found.high


def count(scene, generator, counts, moments):
    """Add the outcomes of one sweep to `counts`. Return [Moments] for the first look at the next sweep."""
    true = truth(generator)
    whole, places = results_of(scene, sampled(scene, true, generator))
    numbers = {name: number for number, name in enumerate(whole.records[0].repetitions, 1)}
    raced, nearest = race(whole, numbers), np.full(PROBLEMS, math.inf)

    def judged(results, **options):
        for case in gather(results, **options):
            problem, place = places[case.record.implementation, case.record.size]
            if place:
                yield case, problem, place, math.exp(true[problem, 0] - true[problem, place])

    for case, problem, place, ratio in judged(raced):
        (counts.left if case.record.left else counts.survivors).append(covered(case, ratio))
        verdict = case.speedup("compute").verdict
        if place in TWINS:
            counts.twins.append(verdict in (FASTER, SLOWER))
        counts.opposite.append((ratio > 1 and verdict == SLOWER) or (ratio < 1 and verdict == FASTER))
        counts.measured.append(len(case.record.repetitions) / REPETITIONS)
        if not case.record.left:
            nearest[problem] = min(nearest[problem], true[problem, place])
    counts.losses += [*(np.minimum(nearest, true[:, 0]) - true.min(axis=1) > math.log1p(LOSS))]
    first = replace(whole, records=[_first(r) for r in whole.records])
    counts.looks += [covered(case, ratio) for case, _, _, ratio in judged(first, first_look=True)]
    if moments:
        found = judged(first, first_look=True, moments=moments)
        counts.known_looks += [covered(case, ratio) for case, _, _, ratio in found]
    early = replace(whole, records=[_first(r, 2) for r in whole.records])
    return [Moments.of(pools(beside_baselines(early, early.records)))]


def _first(record, repetitions=1):
    timing = record.timings["compute"]
    own = {name: getattr(timing, name)[:repetitions] for name in ("samples_s", "rounds", "loops")}
    middle = math.exp(np.mean([math.log(samples[0]) for samples in own["samples_s"]]))
    own |= {"median_s": middle, "ci_low_s": middle, "ci_high_s": middle}
    update = {"repetitions": record.repetitions[:repetitions], "timings": {"compute": timing.model_copy(update=own)}}
    return record.model_copy(update=update)


def _share(held):
    known = [each for each in held if each is not None]
    return sum(known) / len(known) if known else None


def rows(_, options):
    """Return the rows of each scene."""
    generator, table = np.random.default_rng(options.seed), []
    for name, scene in SCENES.items():
        counts, moments = Counts(*([] for _ in range(8))), []
        for _ in range(options.count or SWEEPS):
            moments = count(scene, generator, counts, moments)
        print(f"{name}: measured {_share(counts.measured):.0%}", flush=True)
        usual = name == "two cores"  # the scene for which the usual prior is made
        looks = "intervals of a first look that contain the truth, by the"
        stayed, left = _share(counts.survivors), _share(counts.left)
        table += [
            Row(f"racing, {name}: share of repetitions that are measured", f"{_share(counts.measured):.0%}"),
            at_least(f"racing, {name}: cases that stayed whose intervals contain the truth", stayed, COVERED),
            at_least(f"racing, {name}: cases that left whose intervals contain the truth", left, COVERED - 0.02),
            at_most(f"racing, {name}: twins of NumPy called FASTER or SLOWER", _share(counts.twins), FALSE),
            at_most(f"racing, {name}: verdicts that are the opposite of the truth", _share(counts.opposite), OPPOSITE),
            at_most(f"racing, {name}: problems in which no case within {100 * LOSS:.0f} % of the best stayed",
                    _share(counts.losses), LOST),
            *([at_least(f"{name}: {looks} usual prior", _share(counts.looks), COVERED)] if usual else []),
            at_least(f"{name}: {looks} prior of the sweep before", _share(counts.known_looks), COVERED),
        ]  # fmt: skip
    return table
