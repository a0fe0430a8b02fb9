"""What did not work: outcomes counted, and each reason with the commands that try it again."""

import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass

from accelbench.analysis import Analysis
from accelbench.analysis.tables.outcomes import OutcomeRow
from accelbench.analysis.tables.timings import TimingRow


@dataclass(frozen=True)
class Failure:
    """Cases that failed alike; `who` lists them as kernel/implementation where they are of several."""

    kernel: str
    implementation: str
    outcome: str
    reason: str | None
    cases: list[str]
    who: list[str]

    @property
    def commands(self):
        """The commands that run them again: all of a case's own, one where a reason explains many."""
        cases = self.cases[:1] if self.who or self.outcome == "unavailable" else self.cases
        return [*map(rerun_command, cases)]


def failures(analysis: Analysis) -> list[Failure]:
    """What is not ok, alike cases together: what a whole backend lacks, or what a device refuses to many
    implementations, is one Failure for each reason."""
    groups = defaultdict(list)
    for row in analysis.table(TimingRow):
        if row.outcome == "unavailable":
            groups[None, row.backend, row.outcome, row.reason].append(row)
        elif row.outcome == "unsupported":
            groups[None, None, row.outcome, row.reason].append(row)
        elif row.outcome != "ok":
            groups[row.kernel, row.implementation, row.outcome, row.reason].append(row)
    return [_failure(key, rows) for key, rows in groups.items()]


def _failure(key, rows):
    kernel, name, outcome, reason = key
    kernels = sorted({row.kernel for row in rows})
    who = sorted({f"{row.kernel}/{row.implementation}" for row in rows})
    if kernel is None:
        kernel = kernels[0] if len(kernels) == 1 else f"{len(kernels)} kernels"
        implementations = sorted({row.implementation for row in rows})
        count = f"{len(implementations)} implementations"
        name = implementations[0] if len(implementations) == 1 else f"{name}: {count}" if name else count
    return Failure(kernel, name, outcome, reason, [row.case for row in rows], who if len(who) > 1 else [])


def counts(analysis: Analysis) -> dict[str, int]:
    """{outcome: cases}, ok first, then by number."""
    found = Counter()
    for row in analysis.table(OutcomeRow):
        found[row.outcome] += row.cases
    return dict(sorted(found.items(), key=lambda item: (item[0] != "ok", -item[1])))


def rerun_command(case: str) -> str:
    """The shell command that reruns one case."""
    quoted = f"'{case}'" if "'" not in case else shlex.quote(case)
    return f"python -m accelbench case {quoted}"
