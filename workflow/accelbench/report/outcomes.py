"""Content of outcomes.html: number of cases by outcome, reasons of failures, and commands that run cases again."""

from collections import Counter
from types import SimpleNamespace

from accelbench.analysis import Analysis, choices
from accelbench.analysis.tables.measuring import total
from accelbench.decide import remedies
from accelbench.report import commands


def what_would_help(analysis: Analysis) -> list[SimpleNamespace]:
    """Return the remedies for cases that are not ok, sorted by number of cases, the most first.

    An item has the `remedy` ("" if nothing helps), the number of its `cases`, the estimated `minutes` for measuring
    these cases ("–" if unknown or if nothing helps), and the cases' `reasons`. The item without a remedy comes last.
    """
    causes = [remedies.of_record(case.record) for case in analysis.cases if not case.ok]
    (_, _, wall_s, _), ok = total(analysis), sum(case.ok for case in analysis.cases)
    each_s = wall_s / ok if ok and wall_s else None
    rows = [
        SimpleNamespace(
            remedy=remedy,
            cases=len(group),
            minutes=f"{max(1, round(each_s * len(group) / 60))}" if each_s and remedy else "–",
            reasons=list(dict.fromkeys(cause for _, cause, _ in group)),
        )
        for remedy, group in choices.group_by(causes, lambda cause: cause[-1]).items()
    ]
    return sorted(rows, key=lambda row: (not row.remedy, -row.cases))


def failures(analysis: Analysis) -> list[SimpleNamespace]:
    """Return the cases that are not ok, grouped by reason.

    A group of unavailable cases has one backend, a group of unsupported cases may have any implementations, and other
    groups have one implementation. If a group has several implementations, `who` lists them as kernel/implementation.

    `commands` run the cases of a group again. If the group has several implementations or is unavailable, there is only
    the command for its first case.
    """
    failed = [case for case in analysis.cases if not case.ok]
    return [_failure(analysis, key, cases) for key, cases in choices.group_by(failed, _alike).items()]


def _alike(case):
    record = case.record
    backend = record.backend if record.outcome == "unavailable" else None
    if record.outcome in ("unavailable", "unsupported"):
        return None, backend, record.outcome, record.reason
    return record.kernel, record.implementation, record.outcome, record.reason


def _failure(analysis, key, cases):
    kernel, name, outcome, reason = key
    kernels = sorted({case.record.kernel for case in cases})
    who = sorted({f"{case.record.kernel}/{case.record.implementation}" for case in cases})
    if kernel is None:
        kernel = kernels[0] if len(kernels) == 1 else f"{len(kernels)} kernels"
        implementations = sorted({case.record.implementation for case in cases})
        count = f"{len(implementations)} implementations"
        name = implementations[0] if len(implementations) == 1 else f"{name}: {count}" if name else count
    names = [case.id for case in cases]
    examples = names[:1] if len(who) > 1 or outcome == "unavailable" else names
    again = [commands.case(analysis, name) for name in examples]
    return SimpleNamespace(
        kernel=kernel,
        implementation=name,
        outcome=outcome,
        reason=reason,
        cases=names,
        who=who if len(who) > 1 else [],
        commands=again,
    )


def backends_without_a_time(analysis: Analysis) -> dict[str, str]:
    """Return {backend: remedies or causes as text} of available backends that have cases, but no ok case."""
    records = choices.group_by((case.record for case in analysis.cases), lambda record: record.backend)
    return {
        backend: ", ".join(dict.fromkeys(remedy or cause for _, cause, remedy in map(remedies.of_record, attempts)))
        for backend, about in analysis.machine.backends.items()
        if about.available
        and (attempts := records.get(backend))
        and not any(record.outcome == "ok" for record in attempts)
    }


def counts(analysis: Analysis) -> dict[str, int]:
    """Return {outcome: number of cases}, with ok first and the other outcomes sorted by number."""
    numbers = Counter(case.record.outcome for case in analysis.cases)
    return dict(sorted(numbers.items(), key=lambda item: (item[0] != "ok", -item[1])))
