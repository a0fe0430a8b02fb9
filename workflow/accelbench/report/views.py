"""The figures of a kernel."""

from collections import defaultdict

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.line_charts import SizeLines
from accelbench.figures.strips import Dot, Strip, ranking
from accelbench.pages.pictures import Plot
from accelbench.report import block_views, device_views
from accelbench.report.curves import Series, device_labels

PARTS = {"import": "o", "context": "s", "build": "^", "first call": "D"}  # with the marker of each
MOST_ROWS = 14  # that are drawn; all stand in the table
MOST_GAINS = 6  # number of implementations named in a sentence


def kernel_plots(analysis, kernel):
    """Every Plot of a kernel, grouped by what they show: {"time": [...], "blocks": [...], ...}."""
    plots = defaultdict(list)
    families = analysis.families(kernel)
    several_options = len({family.options for family in families}) > 1
    for family in families:
        series = Series(analysis, family, several_options)
        alike = [Series(analysis, family, several_options, base=True)] * analysis.has_classes
        for what, plot in (
            *_size_plots(series),
            *(plot for own in alike for plot in _size_plots(own, "base")),
            *block_views.plots(series),
            *device_views.transfer_plots(series),
        ):
            plots[what].append(plot)
    plots["startup"] = list(startup_plot(analysis, kernel))
    return {what: found for what, found in plots.items() if found}


def _size_plots(series, kind="time"):
    """Yield the plot of time against size, of what is in base alone or of all; the ranking where there is one size."""
    lines, (resident, where) = series.time_lines(), series.resident
    sizes = {x for line in lines for x in line.x}
    if not lines:
        return
    title, chart, order = f"Time at size {style.size(max(sizes))}", ranking(lines), ", fastest first"
    if len(sizes) > 1:
        title, order = "Time against size", ""
        chart = SizeLines(lines, series.metadata.size, caches=tuple(series.cache_sizes()))
    which = ", all by one algorithm, strict, native, with one thread" if kind == "base" else " at its best settings"
    words = f"time of one call for each implementation{which}{order}{where}."
    title = f"{title}{resident}{', base' if kind == 'base' else ''}"
    yield kind, series.plot(kind, chart, title=title, words=words, note=_gains(series))


def _gains(series):
    """Return what threads gain, in words."""
    size = max((best.case.record.size for best, *_ in series.scaling), default=None)
    most = {series.label(best.case): (best, fewest, gain.ratio) for best, fewest, gain in series.scaling
            if best.case.record.size == size and gain.ratio and best is not fewest}  # fmt: skip
    if not most:
        return ""
    ranked = sorted(most.items(), key=lambda item: -item[1][2])[:MOST_GAINS]
    told = (
        f"{label} {style.ratio(gain)} ({fewest.case.record.threads} to {best.case.record.threads})"
        for label, (best, fewest, gain) in ranked
    )
    return f"Gain by threads at size {style.size(size)}: {', '.join(told)}."


def startup_plot(analysis, kernel):
    """The start-up costs of a kernel's implementations, each part after the one before: the first dtype, with most
    threads."""
    metadata = analysis.kernels[kernel]
    order = [*metadata.dtypes, *(key[3] for key in analysis.startup)]
    own = (each for each in analysis.startup.values() if each.case.record.kernel == kernel and each.total_s)
    ranked = sorted(own, key=lambda each: (-order.index(each.case.record.dtype), each.case.record.threads or 0))
    chosen = {(each.case.record.implementation, each.case.record.device): each for each in ranked}
    label, rows, numbers = device_labels(analysis, kernel), [], []
    for own in sorted(chosen.values(), key=lambda own: own.total_s):
        color, until, dots = style.color(own.case.record.backend), 0.0, []
        for (part, marker), seconds in zip(PARTS.items(), own.counted, strict=True):
            until += seconds
            dots += [Dot(until, f"{part}: {style.seconds(seconds)}", color, marker)] if seconds else []
        rows.append((label(own.case), dots))
        numbers.append([label(own.case), *map(style.seconds, (*own.counted, own.total_s, own.compile_s))])
    if rows:
        table = Table(["implementation", *PARTS, "total", "compiled ahead"], numbers)
        signs = tuple((marker, "full", f"until {part} is done") for part, marker in PARTS.items())
        chart = Strip(
            rows[:MOST_ROWS], "start-up, once per process, part after part", "s", table, signs, scale="linear"
        )
        summary = f"{metadata.title}. The least is {rows[0][0]}, the most {rows[-1][0]}."
        yield Plot(f"{kernel}-startup", chart, "Start-up, once per process", summary)
