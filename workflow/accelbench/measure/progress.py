"""Progress of a job, as a line that is redrawn on a terminal. Without a terminal, only the log shows progress."""

import sys
import time
from typing import Any


class Progress:
    """Display of the number of measured cases and the remaining time of a job.

    The display is drawn between rounds, since a drawing thread would disturb samples.
    """

    EVERY_S = 0.5
    _bar: Any = None

    def __init__(self, kernel):
        self._kernel, self._drawn = kernel, 0.0

    def start(self, total):
        """End the current line, if there is one, and begin a new line for `total` cases."""
        from rich import progress  # imported lazily to speed up commands that measure nothing
        from rich.console import Console

        self.stop()
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("cases"),
            progress.TimeElapsedColumn(),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            speed_estimate_period=3600,
            disable=not (total and sys.stderr.isatty()),
        )
        self._task = self._bar.add_task(self._kernel, total=total)
        self._bar.start()

    def advance(self, cases, problem):
        """Increase the number of measured cases by `cases`, and show the name of their `problem`."""
        self._bar.update(self._task, advance=cases, description=problem)
        self.tick()

    def tick(self):
        """Draw the line if it was last drawn more than EVERY_S seconds ago."""
        now = time.monotonic()
        if now - self._drawn > self.EVERY_S:
            self._drawn = now
            self._bar.refresh()

    def stop(self):
        if self._bar:
            self._bar.stop()
