"""Predicting how long one call will take, from smaller sizes already seen. Work is as Memory.work counts it."""

import math

from accelbench.model.entry import Measured
from accelbench.model.parameters import BLOCK_SIZE

UNSEEN_WORK = 50_000  # work that is tried without knowing anything: at 10 us an operation, half a second
STEP = 4  # a trial aims at this fraction of the peak


class Predictor:
    """Times seen so far, by what is being run (implementation, device, threads, ...); `measured`, what other
    repetitions have found out of cases, {case id: model.entry.Measured}, and `counted`, those whose energy they have;
    `trusted` says whether their first calls need no check for that, `over` how many repetitions are over, and `told`
    which cases do not keep results."""

    def __init__(self):
        self._seen: dict = {}
        self.measured: dict[str, Measured] = {}
        self.counted: set[str] = set()
        self.told: set[str] = set()
        self.trusted, self.over = False, 0
        self._best: dict[tuple, str] = {}

    def remember(self, case, measured):
        """Take down what a repetition has found out of a case; of several the first."""
        first = self.measured.setdefault(case.id, measured)
        self.counted |= {case.id} if measured.energy_j is not None else set()
        self.told |= {case.id} if measured.keeping else set()
        others = str({name: value for name, value in case.parameters.items() if name != BLOCK_SIZE})
        kind = case.problem.id, case.worker, others
        best = self.measured[self._best.setdefault(kind, case.id)]
        if (first.call_s, case.id) < (best.call_s, self._best[kind]):
            self._best[kind] = case.id

    @property
    def best_blocks(self):
        """The ids of the cases with the best block size of their kind, by what repetitions have found out."""
        return set(self._best.values())

    def saw(self, what, amount, seconds):
        self._seen.setdefault(what, {})[amount] = seconds

    def knows(self, what, amount):
        return amount in self._seen.get(what, {})

    def predict(self, what, amount, no_longer_than=None):
        """Seconds of one call, proportional to work from the nearest smaller problem, and no longer than another, such
        as one thread, has taken for the same work; None where nothing is known."""
        seen, other = self._seen.get(what, {}), self._seen.get(no_longer_than, {})
        if amount in seen:
            return seen[amount]
        smaller = [a for a in seen if a < amount]
        if smaller:
            nearest = max(smaller)
            return min(seen[nearest] * amount / nearest, other.get(amount, math.inf))
        return min(seen.values(), default=None)

    def trial(self, what, amount, limit):
        """An amount of work worth trying first, or None: either `amount` itself is safe, or it is hopeless."""
        seen = self._seen.get(what, {})
        smaller = [a for a in seen if a < amount]
        if not smaller:
            return UNSEEN_WORK if amount > UNSEEN_WORK and amount not in seen else None
        predicted = self.predict(what, amount)
        if predicted <= limit:
            return None
        nearest = max(smaller)
        bolder = nearest * limit / STEP / seen[nearest]
        return min(bolder, amount / 2) if bolder > 2 * nearest else None
