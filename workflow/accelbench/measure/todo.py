"""What is still missing of a kernel: which cases a repetition measures, by what the journal holds of them."""


class Todo:
    """The runnable `cases` of a kernel against its journal.

    keys      {case id: key}
    baseline  name of the implementation that all are compared with
    """

    def __init__(self, cases, keys, *, journal, protocol, baseline):
        self.cases, self.keys = cases, keys
        self._journal, self._protocol, self._baseline = journal, protocol, baseline

    def entries(self, case):
        """A case's entries that hold; none of one that cannot run."""
        return self._journal.valid(case, self.keys[case.id], self._protocol) if case.id in self.keys else []

    def missing(self, case):
        """How many repetitions a case still needs."""
        entries = self.entries(case)
        if entries and (entries[-1].outcome != "ok" or entries[-1].result.long):
            return 0
        return max(0, self._protocol.processes - len({entry.repetition for entry in entries}))

    def wanted(self, repetition):
        """The cases that a repetition measures, the first of which is number 0."""
        return [case for case in self.cases if self.missing(case) >= self._protocol.processes - repetition]

    def companions(self, cases):
        """The baseline's cases of the same problems, unless they have failed."""
        problems = {case.problem.id for case in cases}
        return [
            case
            for case in self.cases
            if case.implementation == self._baseline
            and case.problem.id in problems
            and case not in cases
            and not any(entry.outcome != "ok" for entry in self.entries(case)[-1:])
        ]

    @property
    def outdated(self):
        """How many cases were measured before, and must be again."""
        known = {case for case, _ in self._journal.entries}
        return sum(case in known and (case, key) not in self._journal.entries for case, key in self.keys.items())
