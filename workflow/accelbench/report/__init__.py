"""The report of one machine: self-contained HTML pages and their figures, from an Analysis.

page        content of all templates, and the HTML of the pages
decide_page content of index.html: the usual answer of each kernel, and the data of all answers for the page's script
embed       all answers as plain data
case_table  the table of all cases of a kernel, as data for the page's script
classes     algorithms and math modes for old results, whose records lack these fields
commands    commands that pages print
outcomes    failed cases, and remedies
method      disturbances of the machine, duration of the measurements, configuration of the runs
views       figures of single kernels and of devices
curves      curves in these figures
heatmaps    figures of all kernels together
look        updates of index.html during a run
machines    reports/machines.html, which compares all machines and links to their reports
"""

from pathlib import Path

from markupsafe import Markup

from accelbench.analysis import Analysis
from accelbench.pages import copies, pictures
from accelbench.report import heatmaps, page, views
from accelbench.store import files

__all__ = ["write"]


def write(analysis: Analysis, folder, report_dir, *, config, above=None, formats=None):
    """Write index.html, machine.html, outcomes.html, kernels/<kernel>.html and figures/report/* into `report_dir`.

    Return the path of index.html, which is written last. Raise InputError if an annotated page is outside the builds.

    folder   results/<machine>/, with builds and their annotated pages
    config   configuration that the report shows if the results have no record of their runs
    above    folder that may contain the page of all machines, machines.html; None: the folder above `folder`
    formats  formats of figures, including "svg"; None: all formats

    Annotated pages of Cython are copied to build/ in `report_dir`, so that `report_dir` can be moved as a whole.
    """
    folder, report_dir = Path(folder), Path(report_dir)
    base_maps = list(heatmaps.plots(analysis, base=True)) if analysis.has_classes else []
    maps = list(heatmaps.plots(analysis))
    plots = {kernel: views.kernel_plots(analysis, kernel) for kernel in analysis.kernels}
    shares = list(views.peak_plots(analysis))
    every = (
        base_maps + maps + shares + [plot for groups in plots.values() for group in groups.values() for plot in group]
    )
    annotations = copies.copy_annotations(analysis.kernels, folder, report_dir)
    drawn = pictures.draw_all(every, report_dir / "figures" / "report", formats=formats, where=analysis.machine.name)
    content = page.content(
        analysis,
        folder,
        config,
        plots=plots,
        annotations=annotations,
        heatmaps={"base": base_maps, "peak": maps},
        peak_shares=shares,
        svgs={name: Markup(svg) for name, svg in drawn.items()},
        lectures=(report_dir / "lectures.html").exists(),
        machines=page.laid_together(folder.name, Path(above or folder.parent)),
    )
    pages = page.render(content)
    for path in (report_dir / "kernels").glob("*.html"):
        if f"kernels/{path.name}" not in pages:
            path.unlink()
    for name, text in pages.items():  # index.html is the last
        files.write(report_dir / name, text)
    return report_dir / "index.html"
