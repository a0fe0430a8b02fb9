"""What a repetition of a kernel still has to measure, by what its journals hold."""

from accelbench.measure import merge

RESTING, RESTED = 4, 0.005  # repetitions after which a device's case rests whose time is known within this


class Todo:
    """The runnable `cases` of a kernel against its KernelJournal.

    keys       {case id: key}
    number     that of the repetition
    baselines  names of the implementations that all are compared with
    """

    def __init__(self, cases, keys, *, journal, protocol, baselines, number):
        self.cases, self.keys, self.number = cases, keys, number
        self._journal, self._protocol, self._baselines = journal, protocol, baselines

    def entries(self, case):
        """A case's entries that hold; none of one that cannot run."""
        if case.id not in self.keys:
            return []
        return self._journal.valid(case, self.keys[case.id], self._protocol)

    def is_missing(self, case):
        """Whether the repetition measures a case: it has no result there, and the others have not settled it."""
        entries = self.entries(case)
        if entries and (entries[-1].outcome != "ok" or entries[-1].result.long):
            return False
        return self.number not in {entry.number for entry in entries} and not self._rests(entries)

    def _rests(self, entries):
        """Whether the device's own time of a case needs no further repetition."""
        if len(entries) < RESTING or "throughput" not in entries[0].result.timings:
            return False
        time = merge.timing("compute", merge.of_one_kind([entry.result for entry in entries]))
        return time.ci_high_s <= (1 + RESTED) * time.median_s

    @property
    def missing(self):
        return [case for case in self.cases if self.is_missing(case)]

    def companions(self, cases):
        """The baselines' cases of the same problems, unless they have failed."""
        problems = {case.problem.id for case in cases}
        return [
            case
            for case in self.cases
            if case.implementation in self._baselines
            and case.problem.id in problems
            and case not in cases
            and not any(entry.outcome != "ok" for entry in self.entries(case)[-1:])
        ]

    @property
    def outdated(self):
        """How many cases were measured before, and must be again."""
        known = {case for case, _ in self._journal.cases}
        return sum(case in known and (case, key) not in self._journal.cases for case, key in self.keys.items())
