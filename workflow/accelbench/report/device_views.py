"""Figures and rows about devices: what transfers cost, how near to its peak each comes, from Cases."""

from accelbench.analysis.choices import by_implementation, group_by
from accelbench.decide.places import KINDS, PAGEABLE, RESIDENT
from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.strips import OF_PLACES, PLACES, Dot, Strip, by_place
from accelbench.pages.pictures import Plot
from accelbench.report.curves import device_labels, resident_words

MOST_ROWS = 14  # that are drawn; all stand in the table


def transfer_plots(series):
    """("transfers", Plot): the times of all GPUs' implementations at the largest size, by where the data are."""
    analysis, on_gpus = series.analysis, [b for b in series.bests if b.case.record.device in series.analysis.gpus]
    size = max((best.case.record.size for best in on_gpus), default=None)
    problem = *series.family.problems, size
    every = {
        place: {by_implementation(best.case): best for best in analysis.implementations(KINDS[place]).get(problem, ())}
        for place in PLACES
    }
    shown = sorted(
        (b for key, b in every[RESIDENT].items() if b.case.record.device in analysis.gpus),
        key=lambda best: best.seconds,
    )
    if not shown:
        return
    timed = {b: {place: own.get(by_implementation(b.case)) for place, own in every.items()} for b in shown}
    times = {b: {place: each.seconds for place, each in own.items() if each} for b, own in timed.items()}
    labels = {best: series.label(best.case) for best in shown}
    rows = [(labels[b], by_place(own, {}, color=style.color(b.case.record.backend))) for b, own in times.items()]
    hosts = (b for b in every[PAGEABLE].values() if b.case.record.device == "cpu" and not b.case.implausible)
    host = min(((b.seconds, b.case.record.implementation) for b in hosts), default=None)
    numbers = [[labels[b], *(style.seconds(own.get(place)) for place in PLACES)] for b, own in times.items()]
    table = Table(["implementation", *(words for _, words in PLACES.values())], numbers)
    chart = Strip(rows[:MOST_ROWS], "time per call", "s", table, OF_PLACES, host=host and host[::-1])
    words = f"time of one call by where the data are; fastest with resident data: {labels[shown[0]]}."
    heading = f"{series.family.title}, size {style.size(size)}"
    yield "transfers", series.plot("transfers", chart, title="What transfers cost", words=words, heading=heading)


def peak_plots(analysis):
    """Yield a Plot per device and dtype: how near to the machine's peak each comes at the largest size of a kernel."""
    devices = {device: [device] for device in analysis.gpus} | {"cpu": sorted(analysis.host_devices)}
    for device, places in devices.items() if analysis.gpus else ():
        bests = [b for b in analysis.bests("compute", by_implementation) if b.case.record.device in places]
        for dtype, own in group_by(bests, lambda best: best.case.record.dtype).items():
            kernels = group_by(own, lambda best: best.case.record.kernel)
            rows = {kernel: _largest(found) for kernel, found in kernels.items()}
            rows = {kernel: found for kernel, found in rows.items() if found}
            if rows:
                yield _peak_plot(analysis, device, dtype, rows=rows)


def _largest(bests):
    """Those at the largest size that have a share of the peak, the nearest first."""
    size = max(best.case.record.size for best in bests)
    known = [best for best in bests if best.case.record.size == size and best.case.fraction_of_peak]
    return sorted(known, key=lambda best: -best.case.fraction_of_peak)


def _peak_plot(analysis, device, dtype, *, rows):
    shown, numbers, first = [], [], []
    for kernel, bests in rows.items():
        label, dots = device_labels(analysis, kernel), []
        for best in bests:
            share, case = f"{best.case.fraction_of_peak:.0%}", best.case
            words, color = f"{label(case)}: {share} of the peak", style.color(case.record.backend)
            dots.append(Dot(case.fraction_of_peak, words, color, implausible=bool(case.implausible)))
            numbers.append([kernel, label(case), style.seconds(best.seconds), share])
        shown.append((kernel, dots))
        first.append(f"{kernel} {label(bests[0].case)}")
    table = Table(["kernel", "implementation", "time", "of peak"], numbers)
    chart = Strip(shown, "share of the machine's peak", "%", table, scale="linear")
    heading, (resident, where) = f"{'the cores' if device == 'cpu' else device}, {dtype}", resident_words(analysis)
    words = f"Every implementation at its best settings and the largest size, by the peaks of {heading}{where}. "
    name = f"peak-{style.slug(analysis.short_devices.get(device, device))}-{dtype}"
    return Plot(name, chart, f"Share of the peak, {heading}{resident}", f"{words}Nearest: {', '.join(first)}.")
