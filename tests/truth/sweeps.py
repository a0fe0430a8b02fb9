"""Quality of the measurements in folders of results: of one sweep, and of two sweeps of the same cases.

If a folder contains two runs of a whole sweep, such as a published example, it is split into these runs.
"""

import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

from planting import Row, at_least, at_most, percent

from accelbench.analysis import Analysis, frames
from accelbench.analysis.samples import levels
from accelbench.analysis.verdicts import VERDICTS
from accelbench.compare import pairs
from accelbench.measure import merge
from accelbench.model.entry import TimedSamples
from accelbench.statistics import median
from accelbench.store.load import load_results

CALLED, DISJOINT, COVERED = 0.03, 0.02, 0.93  # limits of shares in two sweeps of the same cases
WHOLE = 0.5  # minimum number of cases of a whole sweep, relative to the largest run
HALF_BESIDE_GPU = 0.1  # maximum half width of speedups of host cases on a machine with a GPU
HALF_CPU, HALF_CPU_NEXT, HALF_DEVICE, HALF_DEVICE_OVER_NUMPY = 0.02, 0.05, 0.005, 0.06
ABOVE_PEAK = 1.05
DEFAULT_S, DEFAULT_BESIDE_GPU_S = 300, 720  # seconds of a default sweep: on two cores, and on sixteen with a GPU
LAUNCH_BOUND, NOISY = 0.05, 0.05


def rows(_, options):
    """Return the rows of each folder, of both runs of a single folder, and of both folders or runs together."""
    both = [load_results(folder) for folder in options.folders]
    found = [row for folder, results in zip(options.folders, both, strict=True) for row in _alone(folder.name, results)]
    if len(both) == 1 and (both := runs_apart(both[0])):
        for number, results in enumerate(both, 1):
            found += _alone(f"{options.folders[0].name}, run {number}", results)
    return found + (_together(*both) if both else [])


def runs_apart(results):
    """Return the Results of a folder's two largest runs, the earlier first, or [] unless both are whole sweeps."""
    batches = results.batches
    sizes = Counter(batch for r in results.records for batch in {batches.get(name) for name in r.repetitions} - {None})
    largest = [batch for batch, count in sizes.most_common(2) if count >= WHOLE * max(sizes.values())]
    if len(largest) < 2:
        return []
    begin = {batch: min(run.begin for _, run in results.runs if _batch(results, run) == batch) for batch in largest}
    return [_of_run(results, batch) for batch in sorted(largest, key=begin.get)]


def _batch(results, measuring):
    return next((results.batches[name] for name in measuring.repetitions), None)


def _of_run(results, batch):
    """Return Results with the repetitions of one run."""
    records = []
    kernels = {
        kernel: metadata.model_copy(update={"runs": [run for run in metadata.runs if _batch(results, run) == batch]})
        for kernel, metadata in results.kernels.items()
    }
    for record in results.records:
        own = [n for n, name in enumerate(record.repetitions) if results.batches.get(name) == batch]
        if record.outcome == "ok" and own:
            records.append(part_of(record, own))
    return replace(results, records=records, kernels=kernels)


def part_of(record, own):
    """Return a record with only the repetitions at the indices `own`."""
    taken = [_taken(record, number) for number in own]
    kinds = dict.fromkeys(kind for each in taken for kind in each.timings)
    states = record.environment.system_state
    environment = record.environment.model_copy(
        update={"system_state": [states[n] for n in own] if states else [], "reference_shift": []}
    )
    update = {
        "timings": {kind: merge.timing(kind, taken) for kind in kinds},
        "repetitions": [record.repetitions[n] for n in own],
        "environment": environment,
        "noisy": None,
    }
    return record.model_copy(update=update)


def _taken(record, number):
    """Return the samples of one repetition of a record, with the attributes that merge.timing reads."""
    return SimpleNamespace(
        timings={
            kind: TimedSamples(
                samples_s=t.samples_s[number], rounds=t.rounds[number], loops=t.loops[number], shared=t.shared
            )
            for kind, t in record.timings.items()
            if t.samples_s[number]
        }
    )


def _half(low, high):
    return math.log(high / low) / 2


def _median(values):
    values = list(values)
    return median(values) if values else None


def _alone(name, results):
    analysis = Analysis(results)
    kept = [
        row for row in frames.rows(analysis, "timings") if row.outcome == "ok" and not row.kernel.startswith(pairs.PEAK)
    ]
    rated = [row for row in kept if row.speedup_ci_low and row.case != row.baseline]
    host = [row for row in rated if row.device in results.machine.host_devices]
    device = [row for row in rated if row.device not in results.machine.host_devices]
    beside_gpu = any(not each.on_host for each in results.machine.devices)
    following = _median(_half(row.speedup_next_low, row.speedup_next_high) for row in host)
    next_host = f"{name}: half width of a speedup's interval for the next sweep, median"
    found = [
        at_most(f"{name}: half width of a speedup on the host, median of {len(host)}",
                _median(_half(row.speedup_ci_low, row.speedup_ci_high) for row in host),
                HALF_BESIDE_GPU if beside_gpu else HALF_CPU),
        Row(next_host, percent(following)) if beside_gpu else at_most(next_host, following, HALF_CPU_NEXT),
    ]  # fmt: skip
    if device:
        found += [
            at_most(f"{name}: half width of a device's time, median of {len(device)}",
                    _median(_half(row.compute_ci_low_s, row.compute_ci_high_s) for row in device), HALF_DEVICE),
            at_most(f"{name}: half width of ratios among a device's implementations, median",
                    _median(_among(analysis, {row.case for row in device})), HALF_DEVICE),
            at_most(f"{name}: half width of a device's speedup over NumPy, median",
                    _median(_half(row.speedup_ci_low, row.speedup_ci_high) for row in device), HALF_DEVICE_OVER_NUMPY),
            at_most(f"{name}: device cases whose time is the launch rate",
                    sum(map(bool, (row.launch_bound for row in device))) / len(device), LAUNCH_BOUND),
        ]  # fmt: skip
    limited = [row for row in kept if row.fraction_ci_low]
    above = [row for row in limited if row.fraction_ci_low > ABOVE_PEAK and not row.cache_resident]
    marked = [row for row in above if row.implausible]
    what = f"{name}: of {len(limited)} fractions of a peak, significantly above {ABOVE_PEAK} but not marked implausible"
    return [
        *found,
        *_wall(name, results, DEFAULT_BESIDE_GPU_S if beside_gpu else DEFAULT_S),
        Row(what, str(len(above) - len(marked)), "0", len(above) == len(marked)),
        at_most(f"{name}: cases marked noisy", sum(map(bool, (row.noisy for row in kept))) / len(kept), NOISY),
    ]


def _wall(name, results, target_s):
    """Yield a Row for each run: the total time of its measuring jobs, which run one after the other."""
    runs = {}
    for _, run in results.runs:
        runs.setdefault(_batch(results, run), []).append(run)
    for several in sorted(runs.values(), key=lambda several: min(run.begin for run in several)):
        wall_s, started = sum(run.wall_s for run in several), min(run.begin for run in several)
        what = f"{name}: measuring jobs of the run of {started:%Y-%m-%d %H:%M}, {len(several)} kernels"
        yield Row(what, f"{wall_s:.0f} s", f"<= {target_s} s", wall_s <= target_s)


def _among(analysis, cases):
    """Yield the half widths of ratios between a device's implementations and the fastest one of the same problem."""
    by_problem = {}
    for case in analysis.cases:
        if case.id in cases:
            by_problem.setdefault((case.problem, case.record.device), []).append(case)
    for several in by_problem.values():
        fastest, *others = sorted(several, key=lambda case: case.seconds("compute"))
        for other in others:
            compared = fastest.scatter.between(
                other.samples("compute"), fastest.samples("compute"), None, kind=fastest.pool("compute", other)
            )
            if compared.low:
                yield _half(compared.low, compared.high)


def _together(first, second):
    compared = pairs.compare(first, second)
    counts = Counter(pair.verdict for pair in compared.pairs)
    compared_ids = {pair.first.id for pair in compared.pairs}
    analyses = [Analysis(results) for results in (first, second)]
    rated = [{row.case: row for row in frames.rows(analysis, "timings")} for analysis in analyses]
    common = [(rated[0][case], rated[1][case]) for case in compared_ids]
    common = [both for both in common if all(row.speedup_next_low and row.case != row.baseline for row in both)]
    disjoint = [
        a for a, b in common if a.speedup_next_high < b.speedup_next_low or b.speedup_next_high < a.speedup_next_low
    ]
    every = [{case.id: case for case in analysis.cases if case.id in compared_ids} for analysis in analyses]
    times = [(_next_time(own), _next_time(every[1][name])) for name, own in every[0].items()]
    times = [(a, b) for a, b in times if a.next_low and b.next_low]
    disjoint_times = [a for a, b in times if a.next_high < b.next_low or b.next_high < a.next_low]
    both_ways = [*common, *((b, a) for a, b in common)]
    covering = sum(a.speedup_next_low <= b.speedup <= a.speedup_next_high for a, b in both_ways)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in pairs.COUNTED)
    decided = sum(counts[verdict] for verdict in VERDICTS)
    return [
        Row(f"compare, by times {compared.by}, of {len(compared.pairs)} cases in both", verdicts),
        at_most(f"called FASTER or SLOWER, of {decided} with a verdict", compared.share_called, CALLED),
        at_most(f"intervals of speedups for the next sweep that are disjoint, of {len(common)}",
                len(disjoint) / len(common) if common else None, DISJOINT),
        at_least("intervals of speedups for the next sweep that contain the other sweep's speedup",
                 covering / len(both_ways) if both_ways else None, COVERED),
        Row(f"intervals of plain times for the next sweep that are disjoint, of {len(times)}",
            percent(len(disjoint_times) / len(times) if times else None)),
    ]  # fmt: skip


def _next_time(case):
    """Return a case's time as a Comparison, in seconds, with the interval for the next sweep."""
    return case.scatter.judge(levels(case.samples("compute")), case.pool("compute", case))
