"""The figures of a kernel."""

from collections import defaultdict

from accelbench.figures import style
from accelbench.figures.line_charts import SizeLines, ThreadLines
from accelbench.figures.row_charts import Ranking
from accelbench.figures.startup_bars import StartupBar, StartupBars
from accelbench.pages.pictures import Plot
from accelbench.report import block_views, device_views
from accelbench.report.curves import Series, device_labels


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
    lines, (resident, where) = series.time_lines(), series.resident
    sizes = {x for line in lines for x in line.x}
    words = "time of one call for each implementation at its best settings"
    if len(sizes) == 1:
        title = f"Time at size {style.size(*sizes)}{resident}"
        yield "time", series.plot("time", Ranking(lines), title=title, words=f"{words}, fastest first{where}.")
        return
    size, caches = series.metadata.size, tuple(series.cache_sizes())
    if lines:
        chart = SizeLines(lines, size, caches=caches)
        yield "time", series.plot("time", chart, title=f"Time against size{resident}", words=f"{words}{where}.")


def _thread_plots(series):
    """Scaling with threads."""
    size, lines = series.thread_lines()
    if lines:
        resident, where = series.resident
        words = f"speedup of each over its fewest threads{where}."
        heading = f"{series.family.title}, size {style.size(size)}"
        chart = ThreadLines(lines)
        yield (
            "threads",
            series.plot("threads", chart, title=f"Scaling with threads{resident}", words=words, heading=heading),
        )


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
