"""The report of one machine: a self-contained HTML page and its figures, from result files and tables alone.

results    reads machine.json, the kernels' cards and the tables
views      turns them into lines, cells and rows; curves, block_views and device_views are parts of it
case_table the table of all cases, as data for the page's script
figures    draws, one function a figure, as do block_figures and device_figures; canvas is what they share
drawing    saves figures, and as SVG that follows the page's theme
style      colours, markers, units
page       puts all together in templates/
machines   the page beside it that leads to every machine's report and compares them
"""

from pathlib import Path

from accelbench.errors import InputError
from accelbench.figures import drawing
from accelbench.pages import sandbox
from accelbench.report import device_views, page, results, views
from accelbench.store import files

__all__ = ["write"]


def write(results_dir, tables_dir, report_dir, config):
    """Write report_dir/index.html and figures/report/*.svg, .pdf and .png; the path of index.html.

    `config` is shown as what reproduces the results where they hold no record of their own runs. Cython's annotation
    pages and profiles are copied to build/ and profile/, their places in the results, so that the folder can be moved
    as a whole; pages in a sandbox. InputError names a result file or table that is missing or damaged; index.html is
    replaced only once everything else is there.
    """
    try:
        return _write(results_dir, tables_dir, Path(report_dir), config)
    except InputError:
        raise
    except Exception:
        results.check_tables(results_dir, tables_dir)  # Nothing else tells that one was edited so that nothing fits.
        raise


def _write(results_dir, tables_dir, report_dir, config):
    found = results.read(results_dir, tables_dir)
    heatmaps = list(views.heatmap_plots(found))
    plots = {kernel: views.kernel_plots(found, kernel) for kernel in found.cards}
    rooflines = list(device_views.roofline_plots(found))
    every = heatmaps + rooflines + [plot for groups in plots.values() for group in groups.values() for plot in group]
    svgs = drawing.draw_all(every, report_dir / "figures" / "report")
    links = sandbox.copy_annotations(found.cards, found.folder, report_dir)
    profiles = page.copy_profiles(found, report_dir)
    index = report_dir / "index.html"
    lectures = (report_dir / "lectures.html").exists()
    files.write(index, page.render(found, heatmaps, rooflines, plots, svgs, links, profiles, lectures, config))
    return index
