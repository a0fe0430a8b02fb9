"""Reasons why implementations have no time, and remedies."""

from types import SimpleNamespace

from accelbench.analysis.cases import Case
from accelbench.analysis.choices import group_by

# {outcome: remedy for records that name no remedy}; "" if nothing helps
BY_OUTCOME = {
    "too_slow": "raise protocol: max_call_s in the configuration",
    "timeout": "raise protocol: timeout_s in the configuration",
    "out_of_memory": "use a smaller size, or a computer with more memory",
    "build_failed": "read the compiler's messages in the build log of the source",
    "wrong_result": "correct the implementation: its result is wrong",
    "unsupported": "",
    "unavailable": "install what the library requires",
}
TOO_SLOW = "a call takes longer than max_call_s allows"  # Shown instead of recorded reasons, which contain times
AGAIN = "try it again: python -m accelbench run --retry"


def of_problem(cases: list[Case]) -> list[SimpleNamespace]:
    """Return the implementations of a problem that have no time, grouped by outcome, reason and remedy.

    Each group has the names of its implementations (`who`), the number of its `cases`, their `outcome` and `reason`,
    and the `remedy`, which is "" if there is none.
    """
    timed = {case.record.implementation for case in cases if case.ok}
    absent = [case.record for case in cases if case.record.implementation not in timed]
    return [
        SimpleNamespace(
            who=tuple(dict.fromkeys(record.implementation for record in several)),
            cases=len(several),
            outcome=outcome,
            reason=reason,
            remedy=remedy,
        )
        for (outcome, reason, remedy), several in group_by(absent, of_record).items()
    ]


def of_record(record) -> tuple[str, str, str]:
    """Return (outcome, reason that similar records share, remedy) of a record that is not ok."""
    reason = TOO_SLOW if record.outcome == "too_slow" else record.cause or record.reason or "no reason was given"
    return record.outcome, reason, record.remedy or BY_OUTCOME.get(record.outcome, AGAIN)
