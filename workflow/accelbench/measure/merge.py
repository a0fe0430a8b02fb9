"""From a case's journal entries, one a repetition, to its one result record, and back."""

import math
from typing import Any

import numpy as np

from accelbench import backends, statistics
from accelbench.discovery import installed_version
from accelbench.model.device import LaunchFacts
from accelbench.model.entry import JournalEntry, Measured, TimedSamples
from accelbench.model.record import OBSERVED, Order, Record, RecordedEnvironment, Startup, Timing, case_id
from accelbench.verify.comparison import closeness

NOISE = 0.03  # a shift of the reference cases by more than this marks a problem noisy,
DISTURBANCE = 0.1  # and so does more than this share of the CPUs' time that went to others, on this machine or its host
NO_FACTS = LaunchFacts()
COPIED = (*OBSERVED, "errors", "max_error", "tolerance")  # from a record


def record(bench, case, *, verdict, entries, key):
    """The Record of a case. `verdict` is (outcome, reason) where it could not run, `entries` its valid entries."""
    common = _plan(bench, case)
    if verdict is not None:
        return Record(**common, outcome=verdict[0], reason=verdict[1])
    if not entries:
        return Record(**common, outcome="error", reason="no repetition measured it: run the measuring again")
    entries = sorted(entries, key=lambda entry: entry.number)
    last, results = entries[-1], [entry.result for entry in entries]
    ok, protocol = last.outcome == "ok", bench.config.protocol
    common |= {
        "outcome": last.outcome,
        "reason": last.reason,
        "key": key,
        "cache": protocol.cache,
        "cache_resident": bench.footprint.resident(case),
        "repetitions": [entry.repetition for entry in (entries if ok else entries[-1:])],
        "order": Order(seed=protocol.seed, processes=len(entries)),
        "startup": results[0].startup,  # later repetitions find in caches what the first one compiled
        "environment": _environment(case, results),
    }
    return Record(**common, **(_measurements(results) if ok else {}))


def _plan(bench, case) -> dict[str, Any]:
    """What a record says of a case whether it was measured or not."""
    read, written, flops = bench.footprint.cost(case.problem)
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
        "source_lines": bench.folder.implementations[case.implementation].source_lines,
    }


def _measurements(results: list[Measured]) -> dict[str, Any]:
    """What a record says of a case that was measured."""
    worst = max(results, key=lambda result: closeness(result.max_error, result.tolerance))
    noise = [result.noise for result in results if result.noise is not None]
    observed = {name: [v for result in results if (v := getattr(result, name)) is not None] for name in OBSERVED}
    kinds = dict.fromkeys(kind for result in results for kind in result.timings)
    facts = next((result.facts for result in reversed(results) if result.facts != NO_FACTS), NO_FACTS)
    return {
        "occupancy": facts.occupancy,
        "registers": facts.registers,
        **{name: rule(observed[name]) if observed[name] else None for name, rule in OBSERVED.items()},
        "timings": {kind: timing(kind, results) for kind in kinds},
        "errors": worst.errors,
        "max_error": worst.max_error,
        "tolerance": worst.tolerance,
        "noisy": is_noisy(noise, [state for result in results for state in result.system_states]),
    }


def is_noisy(shifts, states):
    """Whether a problem's references shifted, by `shifts`, or others had too much of the CPUs, by the system `states`;
    None where nothing is known of either."""
    shares = [state.others_share + (state.steal_share or 0.0) for state in states if state.others_share is not None]
    if not shifts and not shares:
        return None
    return max(shifts, default=0.0) > NOISE or max(shares, default=0.0) > DISTURBANCE


def entries(record, long_call_s):
    """The journal entries that a record of the outcome `ok` was made of, from which `record` makes the same again.

    What failed or was not tried has none: it is tried again.
    """
    if record.outcome != "ok" or record.key is None:
        return []
    states = record.environment.system_state or [[] for _ in record.repetitions]
    shifts = record.environment.reference_shift or [None] * len(record.repetitions)
    common = {
        "converged": record.timings["compute"].converged,
        "facts": LaunchFacts(occupancy=record.occupancy, registers=record.registers),
        "environment": record.environment.model_extra,
        "startup": record.startup or Startup(),
        **{name: getattr(record, name) for name in COPIED},
    }
    case, made = {"case": case_id(record), "key": record.key, "outcome": "ok", "reason": None}, []
    for number, repetition in enumerate(record.repetitions):
        timings = {
            kind: TimedSamples(samples_s=t.samples_s[number], rounds=t.rounds[number], loops=t.loops[number])
            for kind, t in record.timings.items()
            if t.samples_s[number]
        }
        call_s = statistics.median(timings["compute"].samples_s)
        timed = {"timings": timings, "call_s": call_s, "long": call_s > long_call_s}
        result = Measured(system_states=states[number], noise=shifts[number], **timed, **common)
        made.append(JournalEntry(repetition=repetition, number=number + 1, result=result, **case))
    return made


def timing(kind, results):
    """The Timing of one kind: the geometric mean of the repetitions' medians, with a t interval over repetitions.

    A single repetition has the rank interval of its median, which describes that process only.
    """
    taken = [result.timings.get(kind) for result in results]
    sampled = [samples.samples_s for samples in taken if samples]
    middle = statistics.geometric_mean([statistics.median(samples) for samples in sampled])
    low, high = _interval(sampled, middle)
    correlations = [c for c in map(statistics.autocorrelation, sampled) if c is not None]
    return Timing(
        samples_s=[samples.samples_s if samples else [] for samples in taken],
        rounds=[samples.rounds if samples else [] for samples in taken],
        loops=[samples.loops if samples else 0 for samples in taken],
        median_s=middle,
        ci_low_s=low,
        ci_high_s=high,
        converged=all(result.converged for result in results),
        autocorrelation=float(np.mean(correlations)) if correlations else None,
    )


def _interval(sampled, middle):
    if len(sampled) == 1:
        low, high = statistics.rank_interval(sampled[0])
        return (low, high) if math.isfinite(low) else (min(sampled[0]), max(sampled[0]))
    from scipy.special import stdtrit

    logs = np.log([statistics.median(samples) for samples in sampled])
    half = float(stdtrit(len(logs) - 1, 0.975) * logs.std(ddof=1) / math.sqrt(len(logs)))
    return middle * math.exp(-half), middle * math.exp(half)


def _environment(case, results):
    """What the workers ran in: variables and thread pools, versions, and how busy the machine was."""
    versions = {package: installed_version(package) for package in ("numpy", *backends.packages(case.backend))}
    states = {
        "system_state": [result.system_states for result in results],
        "reference_shift": [result.noise for result in results],
    }
    return RecordedEnvironment.model_validate(results[-1].environment | {"versions": versions} | states)
