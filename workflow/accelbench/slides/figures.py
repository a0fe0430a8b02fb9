"""Which slides there are: of the lectures' figures that were measured, and of the report's."""

import itertools
from pathlib import Path

from accelbench.analysis import Analysis
from accelbench.errors import InputError
from accelbench.lectures import entries, kinds, measured, measurement, views
from accelbench.report import device_views, heatmaps
from accelbench.report.curves import BESIDE
from accelbench.report.views import kernel_plots
from accelbench.slides.layout import Slide
from accelbench.store.load import check_folder, load_results, read_machine


def every(home):
    """All Slides of a results folder: of the lectures' figures, then of the report's where there are its results."""
    home = Path(home)
    check_folder(home)
    found = of_lectures(home)
    if any((home / "timings").glob("*")):
        found += of_report(home)
    if not found:
        raise InputError(home, "holds nothing to show", "Measure first: make report, or make lecture")
    return found


def of_lectures(home):
    """The Slides of the lectures' figures that were measured, in the order they are declared."""
    return [
        of_figure(entry, home) for entry in entries.read().values() if measurement.place(Path(home), entry).exists()
    ]


def of_figure(entry, home):
    """The Slide of a lecture's figure."""
    results = measured.read(home, entry)
    view = views.make(entry, results)
    return Slide(
        entry.id,
        entry.title,
        view.chart,
        footer(read_machine(home), _runs(results.kernels.values())),
        _texts(kinds.find(entry.kind).sources(entry, results)) or _fastest(results),
        view.summary,
        (*view.sentences, *view.missing),
    )


def of_report(home):
    """The Slides of the report's figures, those of a kernel beside what is best of all that they draw."""
    analysis = Analysis(load_results(home))
    below = footer(analysis.machine, [run for _, run in analysis.results.runs])
    plots = [(plot, ()) for plot in (*heatmaps.heatmap_plots(analysis), *device_views.roofline_plots(analysis))]
    for kernel in analysis.kernels:
        about = analysis.kernels[kernel].implementations
        for plot in itertools.chain.from_iterable(kernel_plots(analysis, kernel).values()):
            plots.append((plot, _files(about.get(plot.chart.leads().partition(BESIDE)[0]))))
    return [
        Slide(
            plot.name,
            _title(plot, analysis),
            plot.chart,
            below,
            texts,
            plot.summary,
            (plot.note,) if plot.note else (),
            needs_source=False,
        )
        for plot, texts in plots
    ]


def footer(machine, runs):
    """What a slide says of where its numbers are from: the machine, the date, the commit."""
    latest = max(runs, key=lambda run: run.begin, default=None)
    where = [f"{machine.name}: {machine.hardware}", *(gpu.name for gpu in machine.gpus)]
    told = [", ".join(where) + (", a virtual machine" if machine.virtualised else "")]
    if latest:
        told.append(f"{latest.begin:%Y-%m-%d}")
    if latest and latest.commit:
        told.append(f"commit {latest.commit[:12]}{' with changes' if latest.dirty else ''}")
    return "  ·  ".join(told)


def _runs(metadata):
    return [run for each in metadata for run in each.runs]


def _texts(sources):
    return tuple((file.name, file.text) for source in sources for file in source.files)


def _fastest(results):
    """The files of what is fastest at the largest size of a figure's first kernel; none where it shows no size."""
    timed = [case for case in results.cases if case.ok and case.record.kernel == results.cases[0].record.kernel]
    if not timed:
        return ()
    record = min(timed, key=lambda case: (-case.record.size, case.seconds("compute"))).record
    return _files(results.kernels[record.kernel].implementations.get(record.implementation))


def _files(about):
    return tuple((file.name, file.text) for file in about.files) if about else ()


def _title(plot, analysis):
    """A plot's title with its kernel's name, which is the first part of the plot's own."""
    kernel = next((kernel for kernel in analysis.kernels if plot.name.startswith(f"{kernel}-")), None)
    return f"{kernel}: {plot.title}" if kernel else plot.title
