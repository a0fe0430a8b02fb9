"""What a launch costs the host that does not wait for it, and a call with waiting."""

from dataclasses import dataclass

from accelbench.analysis.cases import describe, has_default_block
from accelbench.analysis.choices import accelerating, group_by
from accelbench.analysis.rows import CaseRow


@dataclass(frozen=True, kw_only=True)
class LaunchRow(CaseRow):
    """An implementation on a device in a dtype, at the smallest size.

    Of several block sizes it is the common default, where that was measured: a choice by time would favour the
    luckiest.
    """

    launch_s: float
    launch_ci_low_s: float | None
    launch_ci_high_s: float | None
    call_s: float
    call_ci_low_s: float | None
    call_ci_high_s: float | None
    case: str

    @classmethod
    def rows(cls, analysis):
        launched = (
            case
            for case in accelerating(analysis.cases)
            if case.ok and {"launch", "call"} <= case.record.timings.keys()
        )
        return [_row(group) for group in group_by(launched, _without_size).values()]


def _without_size(case):
    record = case.record
    kernel, options, dtype, _ = case.problem
    return kernel, options, dtype, record.implementation, record.device


def _row(group):
    case = min(group, key=lambda case: (case.record.size, not has_default_block(case)))
    launch, call = (case.record.timings[kind] for kind in ("launch", "call"))
    return LaunchRow(
        **describe(case, LaunchRow),
        launch_s=launch.median_s,
        launch_ci_low_s=launch.ci_low_s,
        launch_ci_high_s=launch.ci_high_s,
        call_s=call.median_s,
        call_ci_low_s=call.ci_low_s,
        call_ci_high_s=call.ci_high_s,
    )
