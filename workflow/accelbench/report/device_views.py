"""From tables to the figures and rows about devices: roofs, launches, and what the transfers leave of a speedup."""

from collections import defaultdict

from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.launch import LaunchRow
from accelbench.analysis.tables.peaks import PeakRow
from accelbench.figures import style
from accelbench.figures.roofline import Point, Roofline
from accelbench.figures.row_charts import TransferSpeedup, TransferSpeedups
from accelbench.pages.pictures import Plot
from accelbench.report.curves import device_labels, resident_words

BANDWIDTHS = ("read", "triad", "copy")
PEAK = "matmul"
SPEEDUPS = ("speedup_call", "speedup_end_to_end_pinned", "speedup_end_to_end")


def transfer_plots(series):
    """("transfers", Plot): what is left of the speedups of all GPUs' implementations at the largest size.

    What is implausible is shown, hatched, and leads nothing.
    """
    rows = [row for row in series.best if row.device in series.analysis.gpus and row.speedup]
    if not rows:
        return
    size = max(row.size for row in rows)
    shown = [
        TransferSpeedup(
            series.label(row),
            style.color(row.backend),
            (row.speedup, *(getattr(series.timings[row.case], name) for name in SPEEDUPS)),
            bool(series.timings[row.case].implausible),
        )
        for row in sorted((row for row in rows if row.size == size), key=lambda row: -row.speedup)
    ]
    hosts = [
        row
        for row in series.best
        if row.device == "cpu" and row.size == size and row.speedup and not series.timings[row.case].implausible
    ]
    host = max(hosts, key=lambda row: row.speedup, default=None)
    chart = TransferSpeedups(shown, host and (host.implementation, host.speedup))
    words = (
        f"speedup over {series.over} of the kernel alone on resident data, of a call with waiting for it, and from "
        "host array to host array by way of page-locked and of ordinary memory."
    )
    heading = f"{series.family.title}, size {style.size(size)}"
    title = "What the transfers leave of a speedup"
    yield "transfers", series.plot("transfers", chart, title=title, words=words, heading=heading)


def roofline_plots(analysis):
    """A Plot per device and dtype: the largest size of every kernel under the roofs measured."""
    if not analysis.gpus:
        return
    devices = {device: [device] for device in analysis.gpus} | {"cpu": sorted(analysis.host_devices)}
    for device, places in devices.items():
        for dtype in dict.fromkeys(d for kernel in analysis.kernels.values() for d in kernel.dtypes):
            peaks = [row for row in analysis.table(PeakRow, dtype=dtype) if row.device in places]
            roofs = _roofs(peaks)
            under = _UnderTheRoof(analysis, places, dtype)
            if under.points and roofs.keys() & set(BANDWIDTHS):
                cached = any(row.cache_resident for row in peaks if row.peak in BANDWIDTHS)
                yield _roofline(analysis, device, dtype, under=under, roofs=roofs, cached=cached)


def _roofs(peaks):
    """{peak: bytes/s or flop/s}, the highest among rows of tables/peaks.csv."""
    found = {}
    for row in peaks:
        rate = row.flop_per_s if row.peak == PEAK else row.bytes_per_s
        if row.peak in (PEAK, *BANDWIDTHS):
            found[row.peak] = max(rate, found.get(row.peak, 0))
    return found


class _UnderTheRoof:
    """What stands under the roofs of some devices, for one dtype, each at its best and the largest size.

    points   in the order of the kernels, the fastest first
    best     {kernel: its fastest Point that is plausible}
    devices  of the points
    without  kernels without floating-point operations
    """

    def __init__(self, analysis, places, dtype):
        self.points, self.best, self.devices, self.without = [], {}, set(), []
        for kernel in analysis.kernels:
            rows = []
            for family in [family for family in analysis.families(kernel) if family.dtype == dtype]:
                rows += self._largest(analysis, places, family)
            label = device_labels(analysis, kernel)
            points = [(_point(label, row, analysis.timings[row.case]), row) for row in rows]
            points = [(point, row) for point, row in points if point is not None]
            self.devices |= {row.device for _, row in points}
            own = sorted((point for point, _ in points), key=lambda point: -point.rate)
            self.points += own
            if own:
                self.best[kernel] = next((point for point in own if not point.implausible), own[0])

    def _largest(self, analysis, places, family):
        own = {"kernel": family.kernel, "dtype": family.dtype, "options": family.options}
        rows = [row for row in analysis.table(BestRow, **own) if row.device in places]
        rows = [row for row in rows if row.size == max(r.size for r in rows)]
        counted = [row for row in rows if analysis.timings[row.case].gflop_s]
        if rows and not counted:
            self.without.append(family.kernel)
        return counted


def _point(label, row, case):
    if not case.bandwidth_gb_s:
        return None
    return Point(
        row.kernel,
        label(row),
        row.backend,
        case.gflop_s / case.bandwidth_gb_s,
        case.gflop_s * 1e9 * case.compute_s / row.compute_s,
        bool(case.cache_resident),
        bool(row.implausible),
        case.fraction_of_peak,
        row.block_size,
    )


def _roofline(analysis, device, dtype, *, under, roofs, cached):
    bandwidths = {peak: roofs[peak] for peak in BANDWIDTHS if peak in roofs}
    chart = Roofline(under.points, bandwidths, roofs.get(PEAK), under.best)
    notes = []
    hosts = [name for name in analysis.host_devices if name in under.devices]
    if device == "cpu" and len(hosts) > 1:
        notes.append(f"The cores are used as {' and as '.join(sorted(hosts, key=str.lower))}.")
    if any(point.hollow for point in under.points):
        which = "as did those that bandwidths were measured on" if cached else "whose roof is higher"
        notes.append(f"Hollow: the data fit the last-level cache, {which}.")
    if under.without:
        notes.append(
            f"Left out, since nothing they do counts as floating-point operations: {', '.join(under.without)}."
        )
    heading = f"{'the cores' if device == 'cpu' else device}, {dtype}"
    resident, where = resident_words(analysis)
    words = (
        f"Every implementation at its best settings and the largest size, under the peaks measured on {heading}{where}."
    )
    name = f"roofline-{style.slug(analysis.short_devices.get(device, device))}-{dtype}"
    return Plot(
        name,
        chart,
        f"Roofline of {heading}{resident}",
        " ".join([words, chart.alt_text(), *notes]),
        note=" ".join(notes),
    )


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
    keys = sorted(cells, key=lambda k: (style.backend_order(backends[k]), k))
    return kernels, [
        {"implementation": name, "device": device, "backend": backends[name, device], "cells": cells[name, device]}
        for name, device in keys
    ]
