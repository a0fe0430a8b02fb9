"""Prediction of the time of a call from calls at other sizes. Amounts of work are values of Footprint.work."""

import math

from accelbench.model.entry import Measured
from accelbench.model.parameters import BLOCK_SIZE

UNSEEN_WORK = 50_000  # Maximum work of a call without a prediction: half a second at 10 us per unit of work
STEP = 4  # Ratio of the time limit of a call to the intended time of a trial call


class Predictor:
    """Times of calls so far, by PlannedCase.predicted and amount of work, and results of earlier repetitions.

    measured  {case id: model.entry.Measured} of earlier repetitions
    counted   ids of the cases whose energy earlier repetitions measured
    checked   (implementation, device) of cases that earlier repetitions checked for reuse of earlier calls' results
    trusted   whether to skip the check of the first call of cases in `measured`
    """

    def __init__(self):
        self._times: dict = {}
        self.measured: dict[str, Measured] = {}
        self.counted: set[str] = set()
        self.checked: set[tuple] = set()
        self.trusted = False
        self._best: dict[tuple, str] = {}

    def remember(self, case, measured):
        """Add `measured`, the result of a case in a repetition. self.measured keeps the first result of each case."""
        first = self.measured.setdefault(case.id, measured)
        self.counted |= {case.id} if measured.energy_j is not None else set()
        self.checked |= {case.checked_as} if measured.keeping else set()
        others = str({name: value for name, value in case.parameters.items() if name != BLOCK_SIZE})
        kind = case.problem.id, case.worker, others
        best = self.measured[self._best.setdefault(kind, case.id)]
        if (first.call_s, case.id) < (best.call_s, self._best[kind]):
            self._best[kind] = case.id

    @property
    def best_blocks(self):
        """Ids of the cases whose first results are faster than those of the same cases with other block sizes."""
        return set(self._best.values())

    def saw(self, what, amount, seconds):
        self._times.setdefault(what, {})[amount] = seconds

    def knows(self, what, amount):
        return amount in self._times.get(what, {})

    def predict(self, what, amount, no_longer_than=None):
        """Return the predicted time of a call in seconds; None if no call of `what` was timed.

        The prediction scales the time of the nearest problem with less work. If all timed problems have more work, the
        prediction is the shortest of their times.

        what, amount    PlannedCase.predicted and work of the case
        no_longer_than  PlannedCase.predicted of other cases, such as cases with one thread. Their time for the same
                        work is an upper limit of a prediction by scaling
        """
        times, other = self._times.get(what, {}), self._times.get(no_longer_than, {})
        if amount in times:
            return times[amount]
        smaller = [a for a in times if a < amount]
        if smaller:
            nearest = max(smaller)
            return min(times[nearest] * amount / nearest, other.get(amount, math.inf))
        return min(times.values(), default=None)

    def trial(self, what, amount, limit):
        """Return a smaller amount of work to try before `amount`; None if no trial is necessary or useful.

        limit  maximum time of a call, in seconds
        """
        times = self._times.get(what, {})
        smaller = [a for a in times if a < amount]
        if not smaller:
            return UNSEEN_WORK if amount > UNSEEN_WORK and amount not in times else None
        predicted = self.predict(what, amount)
        if predicted <= limit:
            return None
        nearest = max(smaller)
        bolder = nearest * limit / STEP / times[nearest]
        return min(bolder, amount / 2) if bolder > 2 * nearest else None
