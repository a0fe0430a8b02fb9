"""What has no time, why, and what to do about it."""

from types import SimpleNamespace

from accelbench.analysis.cases import Case
from accelbench.analysis.choices import group_by

# {outcome: what would bring a time if a reason tells no remedy of its own}; "" where nothing would
BY_OUTCOME = {
    "too_slow": "raise protocol: max_call_s in the configuration",
    "timeout": "raise protocol: timeout_s in the configuration",
    "out_of_memory": "a smaller size, or a computer with more memory",
    "build_failed": "read the compiler's words: build log of its source",
    "wrong_result": "correct the implementation: its result is wrong",
    "unsupported": "",
    "unavailable": "install what its library asks for",
}
TOO_SLOW = "a call takes longer than max_call_s allows"  # in place of reasons, which tell seconds
AGAIN = "try it again: python -m accelbench run --retry"


def of_problem(cases: list[Case]) -> list[SimpleNamespace]:
    """Return the implementations of a problem that have no time at all, alike ones together.

    Each has the names (`who`), the number of `cases`, their `outcome` and `reason`, and the `remedy`, "" if there is
    none.
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
    """Return the outcome of a record that is not ok, what alike records have in common, and what would bring a time."""
    told = TOO_SLOW if record.outcome == "too_slow" else record.cause or record.reason or "no reason was given"
    return record.outcome, told, record.remedy or BY_OUTCOME.get(record.outcome, AGAIN)
