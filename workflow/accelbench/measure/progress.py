"""Progress of a job: a moving line on a terminal, nothing elsewhere (the log has plain lines)."""

import sys
import time


class Progress:
    """Cases done, cases left and time left of a job, drawn between rounds: a drawing thread would disturb them."""

    EVERY_S = 0.5

    def __init__(self, kernel):
        self.kernel, self.stream = kernel, sys.stderr
        self.done = self.total = 0
        self._drawn = 0.0
        self._bar = None

    def start(self, total):
        """Begin with `total` cases; earlier ones are done."""
        self.stop()
        self.done, self.total = 0, total
        if total and self.stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = [
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("cases"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
            ]
            self._bar = Bar(
                *columns,
                console=Console(file=self.stream),
                auto_refresh=False,
                transient=True,
                speed_estimate_period=3600,
            )
            self._task = self._bar.add_task(self.kernel, total=total)
            self._bar.start()

    def advance(self, cases, problem):
        """Add `cases` that are done, all of `problem`."""
        self.done += cases
        if self._bar:
            self._bar.update(self._task, completed=self.done, description=problem)
            self.tick()

    def tick(self):
        """Draw the line if enough time has passed."""
        now = time.monotonic()
        if self._bar and now - self._drawn > self.EVERY_S:
            self._drawn = now
            self._bar.refresh()

    def stop(self):
        if self._bar:
            self._bar.stop()
            self._bar = None
