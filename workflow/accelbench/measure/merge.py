"""Merge a case's journal entries, one for each repetition, into its record."""

import math
from typing import Any

import numpy as np

from accelbench import backends, statistics
from accelbench.measure.keys import installed, recorded
from accelbench.model.device import LaunchFacts
from accelbench.model.entry import Measured
from accelbench.model.record import OBSERVED, Order, Record, RecordedEnvironment, Timing
from accelbench.verify.comparison import closeness

# Maximum relative half width of the confidence interval of a converged median. The key True is for the host, the key
# False for a device.
PRECISION = {True: 0.02, False: 0.01}
# Intended minimum number of samples of each kind of time, in all repetitions together. Slow cases have fewer samples,
# since case_state.BUDGET_FACTOR limits the time of the samples.
LEAST_SAMPLES = 8
NO_FACTS = LaunchFacts()


def record(bench, case, *, verdict, entries, key):
    """Return the Record of a case.

    verdict  Verdict on the case if it cannot run, else None
    entries  valid JournalEntries of the case
    key      key of the case
    """
    common = _plan(bench, case)
    if verdict is not None:
        return Record(**common, **vars(verdict))
    if not entries:
        return Record(**common, outcome="error", reason="no repetition measured this case: run the measurement again")
    entries = sorted(entries, key=lambda entry: entry.number)
    last, results = entries[-1], [entry.result for entry in entries]
    ok, protocol = last.outcome == "ok", bench.config.protocol
    common |= {
        "outcome": last.outcome,
        "reason": last.reason,
        "remedy": last.remedy,
        "cause": last.cause,
        "key": key,
        "cache": protocol.cache if case.device != "cpu" else "hot",  # the host's caches are not emptied
        "cache_resident": bench.footprint.resident(case),
        "repetitions": [entry.repetition for entry in (entries if ok else entries[-1:])],
        "order": Order(seed=protocol.seed, processes=len(entries)),
        "startup": results[0].startup,  # later repetitions find compiled code in caches
        "environment": _environment(bench, case, results),
    }
    return Record(**common, **(_measurements(results, bench.device(case).on_host) if ok else {}))


def _plan(bench, case) -> dict[str, Any]:
    """Return the fields of a record that do not depend on measurements."""
    read, written, flops = bench.footprint.cost(case.problem)
    implementation = bench.folder.implementations[case.implementation]
    return {
        "machine": bench.name,
        "kernel": case.kernel,
        "options": case.options,
        "implementation": case.implementation,
        "backend": case.backend,
        "device": case.device,
        "size": case.size,
        "dtype": case.dtype,
        "parameters": case.parameters,
        "tuned": case.tuned,
        "threads": case.threads,
        "bytes_read": read,
        "bytes_written": written,
        "flops": flops,
        "source_lines": implementation.source_lines,
        "algorithm": implementation.algorithm,
        "math": implementation.math(bench.config.build),
        "target": implementation.target(bench.config.build),
        "compiler": next((a.compiler for a in bench.artifacts(implementation, case.device)), None),
        "environment": RecordedEnvironment.model_validate(recorded(bench.machine, case.environment)),
    }


def of_one_kind(results: list[Any]) -> list[Any]:
    """Return the results without `compute` times that cannot be averaged with `compute` times of other repetitions.

    If the calls of a repetition seemed to wait for the device, `compute` of this repetition includes launches. This
    `compute` is left out if that of another repetition is the device's time alone.
    """
    waited = {bool(result.synchronises) for result in results}
    if waited != {True, False} or any(result.unseen for result in results):
        return results
    return [_without_compute(result) if result.synchronises else result for result in results]


def _without_compute(result):
    timings = {kind: taken for kind, taken in result.timings.items() if kind != "compute"}
    return result.model_copy(update={"timings": timings, "synchronises": False})


def _measurements(results: list[Measured], on_host=True) -> dict[str, Any]:
    """Return the measured fields of a case's record, from the results of its repetitions."""
    results = of_one_kind(results)
    worst = max(results, key=lambda result: closeness(result.max_error, result.tolerance))
    observed = {name: [v for result in results if (v := getattr(result, name)) is not None] for name in OBSERVED}
    kinds = dict.fromkeys(kind for result in results for kind in result.timings)
    facts = next((result.facts for result in reversed(results) if result.facts != NO_FACTS), NO_FACTS)
    return {
        "occupancy": facts.occupancy,
        "registers": facts.registers,
        **{name: rule(observed[name]) if observed[name] else None for name, rule in OBSERVED.items()},
        "timings": {kind: timing(kind, results, PRECISION[on_host]) for kind in kinds},
        "errors": worst.errors,
        "max_error": worst.max_error,
        "tolerance": worst.tolerance,
    }


def timing(kind, results, precision=PRECISION[True]):
    """Return the Timing of one kind of time: the geometric mean of the repetitions' medians, with a t interval.

    `converged` says whether the median of every repetition is known to the relative `precision`. If there is only one
    repetition, the interval is the rank interval of its median, which describes only this repetition's process.
    """
    taken = [result.timings.get(kind) for result in results]
    sampled = [samples.samples_s for samples in taken if samples]
    middle = statistics.geometric_mean([statistics.median(samples) for samples in sampled])
    low, high = statistics.mean_interval(sampled)
    correlations = [c for c in map(statistics.autocorrelation, sampled) if c is not None]
    return Timing(
        samples_s=[samples.samples_s if samples else [] for samples in taken],
        rounds=[samples.rounds if samples else [] for samples in taken],
        loops=[samples.loops if samples else 0 for samples in taken],
        median_s=middle,
        ci_low_s=low,
        ci_high_s=high,
        converged=_is_precise(sampled, precision),
        shared=any(samples.shared for samples in taken if samples),
        autocorrelation=float(np.mean(correlations)) if correlations else None,
    )


def _is_precise(sampled, precision):
    """Return whether the confidence interval of each repetition's median has a half width within `precision`.

    If a repetition has too few samples for an interval, use the interval of the samples of all repetitions together.
    """
    halves = [statistics.half_width(samples) for samples in sampled]
    if math.inf in halves:
        together = [sample for samples in sampled for sample in samples]
        halves = [statistics.half_width(together) if len(together) >= LEAST_SAMPLES else math.inf]
    return max(halves) <= precision


def _environment(bench, case, results):
    """Return the environment of a case's workers: variables, thread pools, versions, and states of the machine."""
    versions = installed(bench.machine, case, ("numpy", *backends.packages(case.backend)))
    states = {"system_state": [result.system_states for result in results]}
    environment = results[-1].environment | {"versions": versions} | recorded(bench.machine, case.environment) | states
    return RecordedEnvironment.model_validate(environment)
