"""From tables to the figures and rows about devices: roofs, launches, and what the transfers leave of a speedup."""

from collections import defaultdict

from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.launch import LaunchRow
from accelbench.analysis.tables.peaks import PeakRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.figures import device_figures, style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.drawing import Plot, Sign
from accelbench.report.curves import device_labels

BANDWIDTHS = ("read", "triad", "copy")
PEAK = "matmul"
SPEEDUPS = ("speedup_call", "speedup_end_to_end_pinned", "speedup_end_to_end")


def transfer_plots(analysis, kernel, series, title, suffix):
    """("transfers", Plot): what is left of the speedups of all GPUs' implementations at the largest size.

    What is implausible is shown, hatched, and leads nothing.
    """
    rows = [row for row in series.best if row.device in analysis.gpus and row.speedup]
    if not rows:
        return
    size = max(row.size for row in rows)
    rows = sorted((row for row in rows if row.size == size), key=lambda row: -row.speedup)
    cases = [series.timings[row.case] for row in rows]
    speedups = [[row.speedup, *(getattr(case, n) for n in SPEEDUPS)] for row, case in zip(rows, cases, strict=True)]
    implausible = [bool(case.implausible) for case in cases]
    hosts = [
        row
        for row in series.best
        if row.device == "cpu" and row.size == size and row.speedup and not series.timings[row.case].implausible
    ]
    host = max(hosts, key=lambda row: row.speedup, default=None)
    names = [series.label(row) for row in rows]
    leaders = [(n, values) for n, values, bad in zip(names, speedups, implausible, strict=True) if not bad]
    ends = [row for row in leaders if row[1][2] or row[1][3]]
    summary = HATCHED if any(implausible) else ""
    if leaders:
        summary += f" On resident data the lead is with {leaders[0][0]}: {style.ratio(leaders[0][1][0])}."
    if ends:
        name, values = max(ends, key=lambda row: max(row[1][2] or 0, row[1][3] or 0))
        summary += f" From host array to host array with {name}: {style.ratio(max(values[2] or 0, values[3] or 0))}."
    heading = f"{title}, size {style.size(size)}"
    yield (
        "transfers",
        Plot(
            f"{kernel}-transfers-{suffix}",
            device_figures.transfers,
            {
                "names": names,
                "colors": [style.color(row.backend) for row in rows],
                "speedups": speedups,
                "implausible": implausible,
                "host": host and (host.implementation, host.speedup),
            },
            f"What the transfers leave of a speedup, {heading}",
            f"{analysis.kernels[kernel].title}, {heading}: speedup over {series.baseline} of the kernel alone on "
            f"resident data, of a call with waiting for it, and from host array to host array by way of page-locked "
            f"and of ordinary memory. {summary.strip()}",
            ["implementation", *(kind for kind, *_ in device_figures.KINDS)],
            [[name, *map(style.ratio, values)] for name, values in zip(names, speedups, strict=True)],
        ),
    )


def roofline_plots(analysis):
    """A Plot per device and dtype: the largest size of every kernel under the roofs measured."""
    devices = {device: [device] for device in analysis.gpus} if analysis.gpus else {}
    if devices:
        devices["cpu"] = sorted(analysis.host_devices)
    for device, places in devices.items():
        for dtype in dict.fromkeys(d for kernel in analysis.kernels for d in analysis.kernels[kernel].dtypes):
            peaks = [row for row in analysis.table(PeakRow, dtype=dtype) if row.device in places]
            roofs = _roofs(peaks)
            points, best, without = _points(analysis, places, dtype)
            if points and roofs.keys() & set(BANDWIDTHS):
                cached = any(row.cache_resident for row in peaks if row.peak in BANDWIDTHS)
                yield _roofline(analysis, device, dtype, roofs, cached, points, best, without)


def _roofs(peaks):
    """{peak: bytes/s or flop/s}, the highest among rows of tables/peaks.csv."""
    found = {}
    for row in peaks:
        rate = row.flop_per_s if row.peak == PEAK else row.bytes_per_s
        if row.peak in (PEAK, *BANDWIDTHS):
            found[row.peak] = max(rate, found.get(row.peak, 0))
    return found


def _points(analysis, places, dtype):
    """(Points with their best.csv row and case, {kernel: its best}, kernels without operations)."""
    points, best, without = [], {}, []
    for kernel in analysis.kernels:
        label = device_labels(analysis, kernel)
        timings = {row.case: row for row in analysis.table(TimingRow, kernel, dtype=dtype, outcome="ok")}
        for family in [family for family in analysis.families(kernel) if family.dtype == dtype]:
            rows = [
                r for r in analysis.table(BestRow, kernel, dtype=dtype, options=family.options) if r.device in places
            ]
            largest = max((row.size for row in rows), default=None)
            rows = [row for row in rows if row.size == largest]
            counted = [(row, timings[row.case]) for row in rows if timings[row.case].gflop_s]
            if rows and not counted:
                without.append(kernel)
            for row, case in counted:
                rate = case.gflop_s * 1e9 * case.compute_s / row.compute_s
                if not case.bandwidth_gb_s:
                    continue
                intensity = case.gflop_s / case.bandwidth_gb_s
                point = device_figures.Point(
                    kernel,
                    label(row),
                    style.color(row.backend),
                    intensity,
                    rate,
                    bool(case.cache_resident),
                    bool(row.implausible),
                )
                points.append((point, row, case))
                leader = best.get(kernel)
                if leader is None or (not row.implausible, rate) > (not leader[1].implausible, leader[0].rate):
                    best[kernel] = point, row, case
    return points, best, without


def _roofline(analysis, device, dtype, roofs, cached, points, best, without):
    points.sort(key=lambda item: (list(best).index(item[0].kernel), -item[0].rate))
    drawn = [point for point, _, _ in points]
    hosts = [name for name in analysis.host_devices if any(row.device == name for _, row, _ in points)]
    name = analysis.short_devices.get(device, device)
    heading = f"{'the cores' if device == 'cpu' else device}, {dtype}"
    notes = [f"The leaders: {', '.join(f'{kernel} {found[0].label}' for kernel, found in best.items())}."]
    if device == "cpu" and len(hosts) > 1:
        notes.append(f"The cores are used as {' and as '.join(sorted(hosts, key=str.lower))}.")
    if any(point.hollow for point in drawn):
        which = "as did those that bandwidths were measured on" if cached else "whose roof is higher"
        notes.append(f"Hollow: the data fit the last-level cache, {which}.")
    if without:
        notes.append(f"Left out, since nothing they do counts as floating-point operations: {', '.join(without)}.")
    far = sorted({point.kernel for point in drawn if point.intensity > device_figures.FARTHEST * _ridge(roofs)})
    if far:
        notes.append(f"At the right edge, though farther out: {', '.join(far)}.")
    rows = [
        [
            point.kernel,
            point.label,
            row.block_size or "–",
            style.significant(point.intensity),
            style.rate(point.rate, "flop/s"),
            "–" if not case.fraction_of_peak else f"{case.fraction_of_peak:.0%}",
            "yes" if point.hollow else "no",
        ]
        for point, row, case in points
    ]
    told = {kernel: _told(*found) for kernel, found in best.items()}
    shapes = device_figures.kernel_markers(told)
    colors = style.theme_variables()
    backends = dict.fromkeys(row.backend for _, row, _ in points)
    return Plot(
        f"roofline-{style.slug(name)}-{dtype}",
        device_figures.roofline,
        {
            "points": drawn,
            "bandwidths": {peak: roofs[peak] for peak in BANDWIDTHS if peak in roofs},
            "peak": roofs.get(PEAK),
            "best": told,
        },
        f"Roofline of {heading}",
        f"Every implementation at its best settings and the largest size, under the peaks measured on {heading}. "
        + " ".join(notes),
        ["kernel", "implementation", "block", "flop per byte", "rate", "of peak", "in cache"],
        rows,
        [
            *(Sign("●", f"var({colors[style.color(backend)]})", backend) for backend in backends),
            *(
                Sign(style.MARKERS[marker], "var(--ink)", f"{kernel}: {told[kernel]}")
                for kernel, marker in shapes.items()
            ),
        ],
        [f"{row[0]}, {row[1]}: {row[4]}, {row[5]} of the peak" for row in rows],
        note=" ".join(notes[1:]),
    )


def _ridge(roofs):
    """Flop per byte from which computing, not moving, takes longest."""
    bandwidth = max(roofs[peak] for peak in BANDWIDTHS if peak in roofs)
    return roofs[PEAK] / bandwidth if PEAK in roofs else float("inf")


def _told(point, _, case):
    """The best of a kernel for the key: who, and how near to the peak."""
    share = f", {case.fraction_of_peak:.0%} of peak" if case.fraction_of_peak else ""
    return f"{point.label}{share}"


def launch_table(analysis):
    """(kernels, rows): what a launch and a call cost at the smallest size, by route and device, first dtypes only."""
    cells, backends = defaultdict(dict), {}
    kernels = []
    for kernel, metadata in analysis.kernels.items():
        rows = analysis.table(LaunchRow, kernel)
        order = {dtype: place for place, dtype in enumerate(metadata.dtypes)}
        first = min((order.get(row.dtype, len(order)) for row in rows), default=None)
        for row in rows:
            if order.get(row.dtype, len(order)) == first:
                key = row.implementation, row.device
                cells[key].setdefault(kernel, row)
                backends[key] = row.backend
        if rows:
            kernels.append(kernel)
    known = list(style.LIGHT)
    keys = sorted(cells, key=lambda k: (known.index(backends[k]) if backends[k] in known else 99, k))
    return kernels, [
        {"implementation": name, "device": device, "backend": backends[name, device], "cells": cells[name, device]}
        for name, device in keys
    ]
