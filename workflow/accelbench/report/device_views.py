"""Figures and rows about devices: roofs, launches, and what the transfers leave of a speedup, from Cases."""

from collections import defaultdict

from accelbench.analysis.cases import PINNED, format_block_size
from accelbench.analysis.choices import by_implementation, group_by
from accelbench.analysis.peaks import RATE
from accelbench.analysis.tables.launch import launches
from accelbench.figures import style
from accelbench.figures.roofline import Point, Roofline
from accelbench.figures.row_charts import TransferSpeedup, TransferSpeedups
from accelbench.pages.pictures import Plot
from accelbench.report.curves import device_labels, resident_words

BANDWIDTHS = ("read", "triad", "copy")


def transfer_plots(series):
    """("transfers", Plot): what is left of the speedups of all GPUs' implementations at the largest size.

    What is implausible is shown, hatched, and leads nothing.
    """
    bests = [best for best in series.bests if best.speedup.ratio]
    on_gpus = [best for best in bests if best.case.record.device in series.analysis.gpus]
    if not on_gpus:
        return
    size = max(best.case.record.size for best in on_gpus)
    ranked = sorted((b for b in bests if b.case.record.size == size), key=lambda best: -best.speedup.ratio)
    shown = [_transfers(series, best) for best in ranked if best in on_gpus]
    hosts = (b for b in ranked if b.case.record.device == "cpu" and not b.case.implausible)
    host = next(((best.case.record.implementation, best.speedup.ratio) for best in hosts), None)
    words = (
        f"speedup over {series.over} of the kernel alone on resident data, of a call with waiting for it, and from "
        "host array to host array by way of page-locked and of ordinary memory."
    )
    heading = f"{series.family.title}, size {style.size(size)}"
    title, chart = "What the transfers leave of a speedup", TransferSpeedups(shown, host)
    yield "transfers", series.plot("transfers", chart, title=title, words=words, heading=heading)


def _transfers(series, best):
    case = best.case
    pinned = case.speedup(PINNED).ratio if PINNED in case.record.timings else None
    ratios = best.speedup.ratio, case.speedup("call").ratio, pinned, case.speedup("end_to_end").ratio
    return TransferSpeedup(series.label(case), style.color(case.record.backend), ratios, bool(case.implausible))


def roofline_plots(analysis):
    """A Plot per device and dtype: the largest size of every kernel under the roofs measured."""
    if not analysis.gpus:
        return
    devices = {device: [device] for device in analysis.gpus} | {"cpu": sorted(analysis.host_devices)}
    for device, places in devices.items():
        for dtype in dict.fromkeys(d for kernel in analysis.kernels.values() for d in kernel.dtypes):
            peaks = [peak for peak in analysis.peaks if peak.dtype == dtype and peak.device in places]
            ranked = sorted((peak for peak in peaks if peak.name in (RATE, *BANDWIDTHS)), key=lambda peak: peak.rate)
            under, roofs = _UnderTheRoof(analysis, places, dtype), {peak.name: peak.rate for peak in ranked}
            if under.points and roofs.keys() & set(BANDWIDTHS):
                cached = any(peak.case.record.cache_resident for peak in peaks if peak.name in BANDWIDTHS)
                yield _roofline(analysis, device, dtype, under=under, roofs=roofs, cached=cached)


class _UnderTheRoof:
    """What stands under the roofs of some devices, for one dtype, each at its best and the largest size.

    points   in the order of the kernels, the fastest first
    best     {kernel: its fastest Point that is plausible}
    devices  of the points
    without  kernels without floating-point operations
    """

    def __init__(self, analysis, places, dtype):
        self.points, self.best, self.devices, self.without = [], {}, set(), []
        bests = [b for b in analysis.bests("compute", by_implementation) if b.case.record.device in places]
        families = group_by((b for b in bests if b.case.record.dtype == dtype), lambda best: best.case.problem[:3])
        kernels = defaultdict(list)
        for (kernel, *_), several in families.items():
            size = max(best.case.record.size for best in several)
            counted = [best for best in several if best.case.record.size == size and best.case.gflop_s]
            kernels[kernel] += [best for best in counted if best.case.bandwidth_gb_s]
            self.without += [] if counted else [kernel]
        for kernel, several in kernels.items():
            label = device_labels(analysis, kernel)
            self.devices |= {best.case.record.device for best in several}
            own = sorted((_point(label, best) for best in several), key=lambda point: -point.rate)
            self.points += own
            if own:
                self.best[kernel] = next((point for point in own if not point.implausible), own[0])


def _point(label, best):
    case, record = best.case, best.case.record
    return Point(
        record.kernel,
        label(case),
        record.backend,
        case.gflop_s / case.bandwidth_gb_s,
        record.flops / best.seconds,
        bool(record.cache_resident),
        bool(case.implausible),
        case.fraction_of_peak,
        format_block_size(case),
    )


def _roofline(analysis, device, dtype, *, under, roofs, cached):
    bandwidths = {peak: roofs[peak] for peak in BANDWIDTHS if peak in roofs}
    chart = Roofline(under.points, bandwidths, roofs.get(RATE), under.best)
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
    """(kernels, rows): what a launch and a call cost at the smallest size, by route and device, first dtypes only; a
    row is (Case, {kernel: (seconds of a launch, of a call)})."""
    rows, kernels = {}, []
    for kernel, cases in group_by(launches(analysis), lambda case: case.record.kernel).items():
        dtypes = [*analysis.kernels[kernel].dtypes, *(case.record.dtype for case in cases)]
        first = min((case.record.dtype for case in cases), key=dtypes.index)
        kernels.append(kernel)
        for case in cases:
            if case.record.dtype == first:
                key = style.backend_order(case.record.backend), case.record.implementation, case.record.device
                cells = case.seconds("launch"), case.seconds("call")
                rows.setdefault(key, (case, {}))[1].setdefault(kernel, cells)
    return kernels, [row for _, row in sorted(rows.items(), key=lambda item: item[0])]
