"""The figures of a kernel."""

from collections import defaultdict

from accelbench.figures import style
from accelbench.figures.line_charts import SizeLines, ThreadLines
from accelbench.figures.row_charts import Ranking
from accelbench.figures.startup_bars import StartupBar, StartupBars
from accelbench.pages.pictures import Plot
from accelbench.report import block_views, device_views
from accelbench.report.curves import Series, device_labels

MOST_GAINS = 6  # number of implementations named in a sentence


def kernel_plots(analysis, kernel):
    """Every Plot of a kernel, grouped by what they show: {"time": [...], "blocks": [...], ...}."""
    plots = defaultdict(list)
    families = analysis.families(kernel)
    several_options = len({family.options for family in families}) > 1
    for family in families:
        series = Series(analysis, family, several_options)
        for what, plot in (
            *_size_plots(series),
            *block_views.plots(series),
            *_thread_plots(series),
            *device_views.transfer_plots(series),
        ):
            plots[what].append(plot)
    plots["startup"] = list(startup_plot(analysis, kernel))
    return {what: found for what, found in plots.items() if found}


def _size_plots(series):
    """Yield the plot of time against size; the ranking where there is one size."""
    lines, (resident, where), note = series.time_lines(), series.resident, _two_counts(series)
    sizes = {x for line in lines for x in line.x}
    words = "time of one call for each implementation at its best settings"
    if len(sizes) == 1:
        title, words = f"Time at size {style.size(*sizes)}{resident}", f"{words}, fastest first{where}."
        yield "time", series.plot("time", Ranking(lines), title=title, words=words, note=note)
    elif lines:
        chart = SizeLines(lines, series.metadata.size, caches=tuple(series.cache_sizes()))
        title = f"Time against size{resident}"
        yield "time", series.plot("time", chart, title=title, words=f"{words}{where}.", note=note)


def _two_counts(series):
    """Return what two numbers of threads gain, in words; three or more have a figure."""
    size, lines = series.thread_lines()
    counts = sorted({x for line in lines for x in line.x})
    if len(counts) != 2:
        return ""
    gains = ", ".join(f"{line.label} {style.ratio(line.y[-1])}" for line in lines[:MOST_GAINS])
    return f"Gain by {counts[1]} threads in place of {counts[0]}, at size {style.size(size)}: {gains}."


def _thread_plots(series):
    """Scaling with threads."""
    size, lines = series.thread_lines()
    if len({x for line in lines for x in line.x}) > 2:
        resident, where = series.resident
        words, title = f"speedup of each over its fewest threads{where}.", f"Scaling with threads{resident}"
        heading = f"{series.family.title}, size {style.size(size)}"
        yield "threads", series.plot("threads", ThreadLines(lines), title=title, words=words, heading=heading)


def startup_plot(analysis, kernel):
    """The start-up costs of a kernel's implementations: the first dtype, with most threads."""
    metadata, chosen = analysis.kernels[kernel], {}
    order = {dtype: place for place, dtype in enumerate(metadata.dtypes)}
    for started in analysis.startup.values():
        record = started.case.record
        rank = order.get(record.dtype, len(order)), -(record.threads or 0)
        key = record.implementation, record.device
        if record.kernel == kernel and started.total_s is not None and (key not in chosen or rank < chosen[key][0]):
            chosen[key] = rank, started
    label = device_labels(analysis, kernel)
    bars = [
        StartupBar(label(own.case), style.color(own.case.record.backend), own.counted, own.compile_s)
        for own in sorted((own for _, own in chosen.values()), key=lambda own: own.total_s)
    ]
    if bars:
        chart = StartupBars(bars)
        title, summary = "Start-up, once per process", f"{metadata.title}. {chart.alt_text()}"
        yield Plot(f"{kernel}-startup", chart, title, summary)
