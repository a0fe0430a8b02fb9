"""What did not work: outcomes counted, and each reason with the commands that try it again."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from accelbench.analysis import Analysis
from accelbench.analysis.tables.measuring import TOTAL, MeasuringRow
from accelbench.analysis.tables.outcomes import OutcomeRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.decide import remedies
from accelbench.report import commands


@dataclass(frozen=True)
class Failure:
    """Cases that failed alike; `who` lists them as kernel/implementation where they are of several.

    commands  that run them again: all of a case's own, one where a reason explains many
    """

    kernel: str
    implementation: str
    outcome: str
    reason: str | None
    cases: list[str]
    who: list[str]
    commands: list[str]


@dataclass(frozen=True)
class Remedy:
    """What would bring so many more cases a time, in about so many minutes of measuring ("–": no run tells)."""

    remedy: str
    cases: int
    minutes: str
    reasons: list[str]


def what_would_help(analysis: Analysis) -> list[Remedy]:
    """A Remedy for each that cases without a time have, those that bring most first."""
    groups = defaultdict(list)
    for row in analysis.table(TimingRow):
        if row.outcome != "ok":
            outcome, reason = remedies.reason_of(row)
            groups[remedies.remedy(outcome, reason)].append(reason)
    (total,) = analysis.table(MeasuringRow, TOTAL)
    ok = len(analysis.table(TimingRow, outcome="ok"))
    each_s = total.wall_s / ok if ok and total.wall_s else None
    found = [
        Remedy(remedy, len(reasons), _minutes(each_s, len(reasons), remedy), list(dict.fromkeys(reasons)))
        for remedy, reasons in groups.items()
    ]
    return sorted(found, key=lambda row: (row.remedy.startswith("none"), -row.cases))


def _minutes(each_s, cases, remedy):
    if each_s is None or remedy.startswith("none"):
        return "–"
    return f"{max(1, round(each_s * cases / 60))}"


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
    return [_failure(analysis, key, rows) for key, rows in groups.items()]


def _failure(analysis, key, rows):
    kernel, name, outcome, reason = key
    kernels = sorted({row.kernel for row in rows})
    who = sorted({f"{row.kernel}/{row.implementation}" for row in rows})
    if kernel is None:
        kernel = kernels[0] if len(kernels) == 1 else f"{len(kernels)} kernels"
        implementations = sorted({row.implementation for row in rows})
        count = f"{len(implementations)} implementations"
        name = implementations[0] if len(implementations) == 1 else f"{name}: {count}" if name else count
    cases = [row.case for row in rows]
    told = cases[:1] if len(who) > 1 or outcome == "unavailable" else cases
    again = [commands.case(analysis, case) for case in told]
    return Failure(kernel, name, outcome, reason, cases, who if len(who) > 1 else [], again)


def backends_without_a_time(analysis: Analysis) -> dict[str, str]:
    """{backend: what would help} of those that are there, whose cases ended in nothing but other outcomes."""
    found = {}
    for backend, about in analysis.machine.backends.items():
        rows = analysis.table(TimingRow, backend=backend)
        if about.available and rows and not any(row.outcome == "ok" for row in rows):
            found[backend] = ", ".join(dict.fromkeys(remedies.remedy(*remedies.reason_of(row)) for row in rows))
    return found


def counts(analysis: Analysis) -> dict[str, int]:
    """{outcome: cases}, ok first, then by number."""
    found = Counter()
    for row in analysis.table(OutcomeRow):
        found[row.outcome] += row.cases
    return dict(sorted(found.items(), key=lambda item: (item[0] != "ok", -item[1])))
