"""How many cases are ok, and each that is not, with its reason."""

from collections import Counter
from dataclasses import dataclass

from accelbench.analysis.cases import describe
from accelbench.analysis.rows import Row


@dataclass(frozen=True, kw_only=True)
class OutcomeRow(Row):
    """The ok cases of an implementation, or one case that is not ok; `cases` add up to all."""

    machine: str
    kernel: str
    implementation: str
    outcome: str
    cases: int
    options: str | None = None
    device: str | None = None
    size: int | None = None
    dtype: str | None = None
    block_size: str | None = None
    threads: int | None = None
    reason: str | None = None
    case: str | None = None

    @classmethod
    def rows(cls, analysis):
        succeeded = Counter(
            (case.record.machine, case.record.kernel, case.record.implementation) for case in analysis.cases if case.ok
        )
        rows = [
            cls(machine=machine, kernel=kernel, implementation=implementation, outcome="ok", cases=count)
            for (machine, kernel, implementation), count in succeeded.items()
        ]
        rows += [cls(**describe(case, cls), cases=1) for case in analysis.cases if not case.ok]
        return sorted(rows, key=lambda row: (row.kernel, row.implementation, row.outcome != "ok"))
