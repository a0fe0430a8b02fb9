"""Times of the steps of a measurement. All steps except the samples are overhead."""

import time
from collections import defaultdict
from contextlib import contextmanager

COMPARE = "compare"


class Steps:
    """Times of steps, in seconds.

    seconds     {name of a step: its time}
    in_samples  time of the samples

    The time of a step inside another step counts as time of the outer step. The step COMPARE is the exception: its time
    is added to `seconds` separately and subtracted from the outer step's time.
    """

    def __init__(self):
        self.seconds, self.in_samples = defaultdict[str, float](float), 0.0
        self._within, self._comparing = False, []

    @contextmanager
    def step(self, name, side_by_side=1):
        """Time the `with` block as the step `name`. `side_by_side` is the number of threads that run steps in it."""
        begin, outermost = time.perf_counter(), not self._within
        self._within = True
        try:
            yield
        finally:
            seconds = time.perf_counter() - begin
            if outermost:
                self._within = False
                comparing, self._comparing = sum(self._comparing) / side_by_side, []
                self.seconds[name] += seconds - comparing
                if comparing:
                    self.seconds[COMPARE] += comparing
            elif name == COMPARE:
                self._comparing.append(seconds)
