"""Figures of kernels and devices: times by size, block sizes, transfers, start-up, and shares of the peak."""

from collections import defaultdict
from dataclasses import replace

from accelbench.analysis import cases, choices
from accelbench.decide.answer import KINDS, PAGEABLE, RESIDENT
from accelbench.figures import strips, style
from accelbench.figures.chart import Table
from accelbench.figures.lines import LineChart
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS
from accelbench.pages.pictures import Plot
from accelbench.report.curves import Series, device_labels, time_shown

PARTS = {"import": "o", "context": "s", "build": "^", "first call": "D"}  # {part of start-up: its marker}
MOST_ROWS = 14  # Maximum number of drawn rows; the table has all rows
MOST_GAINS = 6  # Maximum number of implementations in the sentence on speedups by more threads
DEFAULTS = tuple(map(str, DEFAULT_BLOCKS))
LONGEST_NAME = 16  # Maximum length of a device's full name in a title, in characters


def kernel_plots(analysis, kernel):
    """Return the Plots of a kernel by subject: {"time": [...], "blocks": [...], ...}."""
    plots = defaultdict(list)
    families = analysis.families(kernel)
    several_options = len({family.options for family in families}) > 1
    for family in families:
        series = Series(analysis, family, several_options)
        alike = [Series(analysis, family, several_options, base=True)] * analysis.has_classes
        for what, plot in (
            *_size_plots(series),
            *(plot for base_series in alike for plot in _size_plots(base_series, "base")),
            *block_plots(series),
            *transfer_plots(series),
        ):
            plots[what].append(plot)
    plots["startup"] = list(startup_plot(analysis, kernel))
    return {what: subject_plots for what, subject_plots in plots.items() if subject_plots}


def _size_plots(series, kind="time"):
    """Yield (`kind`, Plot of time against size). If there is only one size, the Plot is a ranking.

    kind  "time", or "base" for the base ranking (main algorithm, strict, native, on the host with one thread)
    """
    lines, (resident, where) = series.time_lines(), series.resident
    sizes = {x for line in lines for x in line.x}
    if not lines:
        return
    title, chart, order = f"Time at size {style.size(max(sizes))}", strips.ranking(lines), ", fastest first"
    if len(sizes) > 1:
        title, order = "Time against size", ""
        chart = LineChart(lines, series.metadata.size, caches=tuple(series.cache_sizes()))
    which = (
        ", all by the main algorithm, strict, native, one thread on cores"
        if kind == "base"
        else " at its best settings"
    )
    words = f"time of one call for each implementation{which}{order}{where}."
    title = f"{title}{resident}{', base' if kind == 'base' else ''}"
    yield kind, series.plot(kind, chart, title=title, words=words, note=_gains(series))


def _gains(series):
    """Return a sentence on the speedups that more threads give at the largest size; "" if there are none."""
    size = max((best.case.record.size for best, *_ in series.scaling), default=None)
    most = {series.label(best.case): (best, fewest, gain.ratio) for best, fewest, gain in series.scaling
            if best.case.record.size == size and gain.ratio and best is not fewest}  # fmt: skip
    if not most:
        return ""
    ranked = sorted(most.items(), key=lambda item: -item[1][2])[:MOST_GAINS]
    texts = (
        f"{label} {style.ratio(gain)} ({fewest.case.record.threads} to {best.case.record.threads})"
        for label, (best, fewest, gain) in ranked
    )
    return f"Speedup by more threads at size {style.size(size)}: {', '.join(texts)}."


def startup_plot(analysis, kernel):
    """Yield the Plot of a kernel's start-up times. The parts of a start-up follow one another on the time axis.

    Each implementation on a device is shown with the kernel's first dtype and the most threads.
    """
    metadata = analysis.kernels[kernel]
    order = [*metadata.dtypes, *(key[3] for key in analysis.startup)]
    startups = (
        startup for startup in analysis.startup.values() if startup.case.record.kernel == kernel and startup.total_s
    )
    ranked = sorted(
        startups, key=lambda startup: (-order.index(startup.case.record.dtype), startup.case.record.threads or 0)
    )
    chosen = {(startup.case.record.implementation, startup.case.record.device): startup for startup in ranked}
    label, rows, numbers = device_labels(analysis, kernel), [], []
    for startup in sorted(chosen.values(), key=lambda startup: startup.total_s):
        color, until, dots = style.color(startup.case.record.backend), 0.0, []
        for (part, marker), seconds in zip(PARTS.items(), startup.counted, strict=True):
            until += seconds
            dots += [strips.Dot(until, f"{part}: {style.seconds(seconds)}", color, marker)] if seconds else []
        rows.append((label(startup.case), dots))
        numbers.append(
            [label(startup.case), *map(style.seconds, (*startup.counted, startup.total_s, startup.compile_s))]
        )
    if rows:
        table = Table(["implementation", *PARTS, "total", "compiled ahead"], numbers)
        signs = tuple((marker, "full", f"until {part} is done") for part, marker in PARTS.items())
        chart = strips.Strip(
            rows[:MOST_ROWS], "start-up, once per process, part after part", "s", table, signs, scale="linear"
        )
        yield Plot(
            f"{kernel}-startup",
            chart,
            "Start-up, once per process",
            f"{metadata.title}. Shortest: {rows[0][0]}. Longest: {rows[-1][0]}.",
        )


def block_plots(series):
    """Yield ("blocks", Plot) for each device.

    The Plot shows the time with each block size divided by the time with the best block size, at the largest size.
    """
    analysis = series.analysis
    bests = [best for best, _, _ in analysis.regrets if series.family.holds(best.case)]
    devices = choices.group_by(bests, lambda best: best.case.record.device)
    for device, device_bests in devices.items():
        size = max(best.case.record.size for best in device_bests)
        swept = {
            best: _slowdowns(series, best) for best in _one_each(b for b in device_bests if b.case.record.size == size)
        }
        # Omit implementations with at most two block sizes.
        swept = {best: slowdowns for best, slowdowns in swept.items() if len(slowdowns) > 2}
        if swept:
            named = device if len(device) <= LONGEST_NAME else analysis.short_devices[device]
            where = f", {named}" if len(devices) > 1 or analysis.gpus else ""
            plot = _strip(series, swept, f"{series.family.title}, size {style.size(size)}{where}")
            suffix = f"-{style.slug(analysis.short_devices[device])}" if where else ""
            yield "blocks", replace(plot, name=f"{plot.name}{suffix}")


def _one_each(bests):
    """Return the fastest Best of each implementation over all numbers of threads and other parameters."""
    fastest = {}
    for best in sorted(bests, key=lambda best: best.seconds):
        fastest.setdefault(best.case.record.implementation, best)
    return list(fastest.values())


def _slowdowns(series, best):
    """Return {block size: its time divided by the time of the best block size}. Times are those of the kernel alone."""
    timed = (case for case in series.cases if BLOCK_SIZE in case.record.settings and case.seconds("compute"))
    block_cases = [case for case in timed if choices.by_all_but_block(case) == choices.by_all_but_block(best.case)]
    block_cases.sort(key=lambda case: case.record.settings[BLOCK_SIZE].rank)
    return {
        cases.format_block_size(case): case.seconds("compute") / best.case.seconds("compute") for case in block_cases
    }


def _strip(series, swept, heading):
    label = (lambda case: case.record.implementation) if series.analysis.gpus else series.label
    names = {best: (label(best.case), cases.format_block_size(best.case)) for best in swept}
    blocks = list(dict.fromkeys(block for slowdowns in swept.values() for block in slowdowns))
    numbers = [
        [*names[best], *(style.ratio(slowdowns.get(block)) for block in blocks)] for best, slowdowns in swept.items()
    ]
    rows = [
        (
            " ".join(names[best]),
            [
                strips.Dot(value, f"{block}: {style.ratio(value)}", style.color(best.case.record.backend), "o",
                    "none" if block in DEFAULTS else "full")
                for block, value in slowdowns.items()
            ],
        )
        for best, slowdowns in list(swept.items())[:MOST_ROWS]
    ]  # fmt: skip
    signs = (
        ("o", "full", "a block size"),
        ("o", "none", f"the default block size, {' or '.join(block for block in DEFAULTS if block in blocks)}"),
    )
    table = Table(["implementation", "best", *blocks], numbers)
    chart = strips.Strip(
        rows, "time divided by the time with the best block size, which each row names", "x", table, signs
    )
    resident, where = series.resident
    words = f"time of each implementation divided by its time with the best block size{where}. "
    words += f"Best: {', '.join(map(' '.join, names.values()))}."
    bound = dict.fromkeys(best.case.record.implementation for best in swept if cases.is_launch_bound(best.case))
    note = f"Limited by the host's launches at the best block size: {', '.join(bound)}." if bound else ""
    title = f"Cost of block sizes other than the best{resident}"
    return series.plot("blocks", chart, title=title, words=words, heading=heading, note=note)


def transfer_plots(series):
    """Yield ("transfers", Plot) with the times of implementations on GPUs at the largest size, by place of the data."""
    analysis, on_gpus = series.analysis, [b for b in series.bests if b.case.record.device in series.analysis.gpus]
    if not on_gpus:
        return
    size = max(best.case.record.size for best in on_gpus)
    problem = *series.family.problems, size
    every = {
        place: {
            choices.by_implementation(best.case): best
            for best in analysis.implementations(KINDS[place]).get(problem, ())
        }
        for place in strips.PLACES
    }
    shown = sorted(
        (b for key, b in every[RESIDENT].items() if b.case.record.device in analysis.gpus),
        key=lambda best: best.seconds,
    )
    timed = {b: {place: bests.get(choices.by_implementation(b.case)) for place, bests in every.items()} for b in shown}
    times = {b: {place: best.seconds for place, best in bests.items() if best} for b, bests in timed.items()}
    labels = {best: series.label(best.case) for best in shown}
    rows = [
        (labels[b], strips.by_place(seconds, {}, color=style.color(b.case.record.backend)))
        for b, seconds in times.items()
    ]
    hosts = (b for b in every[PAGEABLE].values() if b.case.record.device == "cpu" and not b.case.implausible)
    host = min(((b.seconds, b.case.record.implementation) for b in hosts), default=None)
    numbers = [
        [labels[b], *(style.seconds(seconds.get(place)) for place in strips.PLACES)] for b, seconds in times.items()
    ]
    table = Table(["implementation", *(words for _, words in strips.PLACES.values())], numbers)
    chart = strips.Strip(rows[:MOST_ROWS], "time per call", "s", table, strips.OF_PLACES, host=host and host[::-1])
    words = f"time of one call by place of the data; fastest with resident data: {labels[shown[0]]}."
    heading = f"{series.family.title}, size {style.size(size)}"
    yield "transfers", series.plot("transfers", chart, title="What transfers cost", words=words, heading=heading)


def peak_plots(analysis):
    """Yield a Plot for each device and dtype, with shares of the machine's peak (highest measured rate).

    The Plot shows the largest size of each kernel. Yield nothing for machines without a GPU.
    """
    devices = {device: [device] for device in analysis.gpus} | {"cpu": sorted(analysis.host_devices)}
    for device, places in devices.items() if analysis.gpus else ():
        bests = [b for b in analysis.bests("compute", choices.by_implementation) if b.case.record.device in places]
        for dtype, dtype_bests in choices.group_by(bests, lambda best: best.case.record.dtype).items():
            kernels = choices.group_by(dtype_bests, lambda best: best.case.record.kernel)
            rows = {kernel: _largest(kernel_bests) for kernel, kernel_bests in kernels.items()}
            rows = {kernel: kernel_bests for kernel, kernel_bests in rows.items() if kernel_bests}
            if rows:
                yield _peak_plot(analysis, device, dtype, rows=rows)


def _largest(bests):
    """Return the Bests at the largest size that have a share of the peak, the largest share first."""
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
            dots.append(strips.Dot(case.fraction_of_peak, words, color, implausible=bool(case.implausible)))
            numbers.append([kernel, label(case), style.seconds(best.seconds), share])
        shown.append((kernel, dots))
        first.append(f"{kernel} {label(bests[0].case)}")
    table = Table(["kernel", "implementation", "time", "of peak"], numbers)
    chart = strips.Strip(shown, "share of the machine's peak", "%", table, scale="linear")
    heading, (_, resident, where) = f"{'the cores' if device == 'cpu' else device}, {dtype}", time_shown(analysis)
    words = f"Every implementation at its best settings and the largest size{where}. "
    name = f"peak-{style.slug(analysis.short_devices.get(device, device))}-{dtype}"
    return Plot(name, chart, f"Share of the peak, {heading}{resident}", f"{words}Highest shares: {', '.join(first)}.")
