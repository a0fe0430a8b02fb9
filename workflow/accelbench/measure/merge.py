"""From a case's journal entries, one a sitting, to its one result record, and back."""

import math

import numpy as np

from accelbench import backends, statistics
from accelbench.measure import provenance
from accelbench.model.record import Order, Record, Startup, Timing, case_id
from accelbench.store.journal import Entry
from accelbench.verify.comparison import closeness

NOISE = 0.03  # a shift of the reference cases by more than this marks a problem noisy


def record(bench, case, *, verdict, entries, key):
    """The Record of a case. `verdict` is (outcome, reason) where it could not run, `entries` its valid entries."""
    implementation = bench.folder.implementations[case.implementation]
    read, written, flops = bench.footprint.cost(case.problem)
    common = {
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
    }
    if verdict is not None:
        return Record(**common, outcome=verdict[0], reason=verdict[1])
    if not entries:
        return Record(**common, outcome="error", reason="no sitting measured it: run the measuring again")
    last = entries[-1]
    common |= {
        "outcome": last.outcome,
        "reason": last.reason,
        "key": key,
        "cache": bench.config.protocol.cache,
        "cache_resident": bench.footprint.resident(case),
        "sittings": [entry.sitting for entry in entries],
        "order": Order(seed=bench.config.protocol.seed, processes=len(entries)),
        "startup": _startup(entries),
        "environment": _environment(case, entries),
    }
    if last.outcome != "ok":
        return Record(**common | {"sittings": [last.sitting]})
    worst = max(entries, key=lambda entry: closeness(entry.result["max_error"], entry.result["tolerance"]))
    noise, cores, replaced, energies = (
        [value for entry in entries if (value := entry.result.get(name)) is not None]
        for name in ("noise", "cores_used", "inputs_replaced", "energy_j")
    )
    kinds = dict.fromkeys(kind for entry in entries for kind in entry.result["timings"])
    return Record(
        **common,
        occupancy=last.result["facts"].get("occupancy"),
        registers=last.result["facts"].get("registers"),
        energy_j=energies[-1] if energies else None,
        cores_used=max(cores, default=None),
        inputs_replaced=any(replaced) if replaced else None,
        timings={kind: timing(kind, entries) for kind in kinds},
        errors=worst.result.get("errors", {}),
        max_error=worst.result["max_error"],
        tolerance=worst.result["tolerance"],
        noisy=max(noise) > NOISE if noise else None,
    )


def entries(record, long_call_s):
    """The journal entries that a record of the outcome `ok` was made of, from which `record` makes the same again.

    What failed or was not tried has none: it is tried again.
    """
    if record.outcome != "ok" or record.key is None:
        return []
    environment = dict(record.environment)
    rooms = environment.pop("room", None) or [[] for _ in record.sittings]
    shifts = environment.pop("reference_shift", None) or [None] * len(record.sittings)
    environment.pop("versions", None)
    common = {
        "converged": record.timings["compute"].converged,
        "facts": {"occupancy": record.occupancy, "registers": record.registers},
        "energy_j": record.energy_j,
        "cores_used": record.cores_used,
        "inputs_replaced": record.inputs_replaced,
        "environment": environment,
        "errors": record.errors,
        "max_error": record.max_error,
        "tolerance": record.tolerance,
        "startup": record.startup.model_dump(exclude_none=True) if record.startup else {},
    }
    made = []
    for number, sitting in enumerate(record.sittings):
        taken = {
            kind: {"samples_s": t.samples_s[number], "rounds": t.rounds[number], "loops": t.loops[number]}
            for kind, t in record.timings.items()
            if t.samples_s[number]
        }
        call_s = statistics.median(taken["compute"]["samples_s"])
        one = {"timings": taken, "call_s": call_s, "long": call_s > long_call_s}
        one |= {"rooms": rooms[number], "noise": shifts[number]}
        made.append(Entry(case_id(record), record.key, sitting, "ok", None, common | one))
    return made


def timing(kind, entries):
    """The Timing of one kind: the geometric mean of the sittings' medians, with a t interval over sittings.

    A single sitting has the rank interval of its median, which describes that process only.
    """
    taken = [entry.result["timings"].get(kind, {"samples_s": [], "rounds": [], "loops": 0}) for entry in entries]
    sampled = [t["samples_s"] for t in taken if t["samples_s"]]
    middle = statistics.geometric_mean([statistics.median(samples) for samples in sampled])
    low, high = _interval(sampled, middle)
    correlations = [c for c in map(statistics.autocorrelation, sampled) if c is not None]
    return Timing(
        samples_s=[t["samples_s"] for t in taken],
        rounds=[t["rounds"] for t in taken],
        loops=[t["loops"] for t in taken],
        median_s=middle,
        ci_low_s=low,
        ci_high_s=high,
        converged=all(entry.result["converged"] for entry in entries),
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


def _startup(entries):
    """What the first sitting paid: later ones find in caches what it compiled."""
    return Startup(**entries[0].result.get("startup", {}))


def _environment(case, entries):
    """What the workers ran in: variables and thread pools, versions, and how busy the machine was."""
    latest = dict(entries[-1].result.get("environment", {}))
    latest["versions"] = {
        package: provenance.version(package) for package in ("numpy", *backends.packages(case.backend))
    }
    latest["room"] = [entry.result.get("rooms", []) for entry in entries]
    latest["reference_shift"] = [entry.result.get("noise") for entry in entries]
    return latest
