"""The report of one machine: self-contained HTML pages and their figures, from an Analysis.

page        the pages: what the templates show, a kernel's among them
decide_page index.html, where one decides: each kernel's usual answer, and the data of all others for its script (embed)
case_table  the table of all cases of a kernel, as data for the page's script
classes     algorithms and math modes of results that are older than these fields
outcomes    what did not work, and what would help
method      how quiet the machine was, what measuring cost, how to run it again
views       a kernel's figures and those of devices; curves and heatmaps are parts of it
look        what index.html says of a run that goes on
machines    reports/machines.html, which compares all machines and leads to their reports
"""

from pathlib import Path

from markupsafe import Markup

from accelbench.analysis import Analysis
from accelbench.pages import copies, pictures
from accelbench.report import heatmaps, page, views
from accelbench.store import files

__all__ = ["write"]


def write(analysis: Analysis, folder, report_dir, *, config, above=None, formats=None):
    """Write report_dir/index.html, machine.html, outcomes.html, kernels/<kernel>.html and figures/report/*.svg, .pdf
    and .png; the path of index.html.

    folder  results/<machine>/, where builds and their pages lie
    config  shown as what reproduces the results where they hold no record of their own runs
    formats  those of figures, "svg" among them, where not all are made
    above   where the page of all machines may be that these lead to; the folder above `folder` where it is None

    Cython's annotation pages are copied to build/, their place in the results, so that the folder can be moved as a
    whole. InputError names a file that is damaged. index.html is replaced last.
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
