"""Updates of the pages during a run, between two repetitions."""

import os
import time

from accelbench import report
from accelbench.analysis import Analysis
from accelbench.cli.app import logger
from accelbench.config import select
from accelbench.machine.lock import machine_lock
from accelbench.measure import bench, coordinator, provenance
from accelbench.model.metadata import Measuring
from accelbench.report import look
from accelbench.store import files, formats
from accelbench.store.load import load_results

MAY_CHANGE = 0.14  # Relative half width of a ratio's interval after one repetition, on a two-core virtual machine


def look_at(given, number):
    """Show the results of the repetitions up to `number` on the pages.

    Each job of repetition `number` + 1 calls this function before it measures, so that rendering disturbs no
    measurement. Only the first of these calls updates the pages, and only in a run of the whole sweep. The first update
    of a run renders all pages. Later updates replace only the answers on index.html. If an update fails, this function
    logs the failure.

    given  CommonOptions of the job
    """
    if bench.WHOLE not in os.environ:
        return
    marker, run = given.folder / "look.json", provenance.run()
    with machine_lock():
        try:
            before = files.read_json(marker) if marker.exists() else [None, 0]
            if before[0] == run and before[1] >= number:
                return
            files.write_json(marker, [run, number])
            _write(given, number, is_first=before[0] != run)
        except Exception:  # a failed page must not stop the measurement
            logger.exception(f"no page shows the repetitions up to {number}")


def _write(given, number, *, is_first):
    pages, spent_s = given.reports / given.machine, 0.0
    with files.scratch(given.folder) as folder:
        for sweep in select.effective_configs(given.config):
            measured = given.folder / "repetitions" / sweep.kernel.name / f"{number}.json"
            if measured.exists():
                spent_s += formats.read(Measuring, measured, "").wall_s
                coordinator.merge_repetitions(sweep, given.machine, given.folder, cores=given.cores, output=folder)
        analysis = Analysis(load_results(folder, home=given.folder), first_look=number == 1)
    if is_first:
        report.write(analysis, given.folder, pages, config=given.config)
    machine = analysis.results.machine
    words = words_of(
        number,
        given.config.protocol.repetitions.max,
        spent_s,
        may_change=MAY_CHANGE if machine.virtualised and not machine.has_gpu else None,
    )
    look.write(None if is_first else analysis, given.folder, pages, words=words)


def words_of(number, most, spent_s, *, may_change=None):
    """Return the line that a page shows after repetition `number` of at most `most`.

    The line contains the current time and the expected time of the next update. A reader can tell from these times
    whether the run was killed.

    spent_s     duration of the repetition, in seconds
    may_change  relative half width of a ratio's interval after the first repetition; None if unknown
    """
    name, now = "First look" if number == 1 else f"Look {number}", time.time()
    taken, due = (time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) for at in (now, now + max(60.0, spent_s)))
    within = f" within \N{PLUS-MINUS SIGN}{100 * may_change:.0f} %" if may_change else ""
    return " ".join(
        [
            f"{name}, taken {taken} during a run: {number} of up to {most} repetitions.",
            *([f"Ranks{within} may still change."] if number == 1 else []),
            f"If the run still goes on, the {'next' if number + 1 < most else 'last'} look follows at about {due}.",
        ]
    )
