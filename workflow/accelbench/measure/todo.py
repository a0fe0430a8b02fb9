"""The cases of a kernel that a repetition must measure."""

from accelbench.measure import merge

# Minimum number of repetitions of a settled case on a device, and maximum relative distance from the median to the
# upper end of the confidence interval. Later repetitions do not measure a settled case.
STOP_AFTER, STOP_PRECISION = 4, 0.005


class Todo:
    """Cases of a kernel, and their entries in the kernel's KernelJournal.

    keys       {case id: key}
    number     number of the repetition
    baselines  names of the implementations that are baselines
    """

    def __init__(self, cases, keys, *, journal, protocol, baselines, number):
        self.cases, self.keys, self.number = cases, keys, number
        self._journal, self._protocol, self._baselines = journal, protocol, baselines

    def entries(self, case):
        """Return the valid entries of a case. A case without a key has no entries."""
        if case.id not in self.keys:
            return []
        return self._journal.valid(case, self.keys[case.id], self._protocol)

    def is_missing(self, case):
        """Return whether the repetition must measure a case.

        Three groups of cases are not measured: cases with an entry for this repetition, cases whose last entry is a
        failure or has long calls, and settled cases.
        """
        entries = self.entries(case)
        if entries and (entries[-1].outcome != "ok" or entries[-1].result.long):
            return False
        return self.number not in {entry.number for entry in entries} and not self._is_settled(entries)

    def _is_settled(self, entries):
        """Return whether a case on a device is settled: its time is precise enough without further repetitions."""
        if len(entries) < STOP_AFTER or "throughput" not in entries[0].result.timings:
            return False
        time = merge.timing("compute", merge.of_one_kind([entry.result for entry in entries]))
        return time.ci_high_s <= (1 + STOP_PRECISION) * time.median_s

    @property
    def missing(self):
        """The cases that the repetition measures."""
        return [case for case in self.cases if self.is_missing(case)]

    def companions(self, cases):
        """Return further cases to sample beside `cases`: baselines of the same problems that have not failed."""
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
        """Number of cases that were measured only with other keys, so they must be measured again."""
        known = {case for case, _ in self._journal.cases}
        return sum(case in known and (case, key) not in self._journal.cases for case, key in self.keys.items())
