"""Progress of a job: a moving line on a terminal, nothing elsewhere (the log has plain lines)."""

import sys
import time
from typing import Any


class Progress:
    """Cases done, cases left and time left of a job, drawn between rounds: a drawing thread would disturb them."""

    EVERY_S = 0.5
    _bar: Any = None

    def __init__(self, kernel):
        self._kernel, self._drawn = kernel, 0.0

    def start(self, total):
        """Begin with `total` cases; earlier ones are done."""
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
        """Add `cases` that are done, all of `problem`."""
        self._bar.update(self._task, advance=cases, description=problem)
        self.tick()

    def tick(self):
        """Draw the line if enough time has passed."""
        now = time.monotonic()
        if now - self._drawn > self.EVERY_S:
            self._drawn = now
            self._bar.refresh()

    def stop(self):
        if self._bar:
            self._bar.stop()
