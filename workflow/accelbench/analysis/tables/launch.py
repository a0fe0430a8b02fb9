"""Time of a launch, which does not wait for the device, and time of a whole call, which waits for the device.

A row describes an implementation on a device, with a dtype and options, at the smallest size. If the default block
size (256 or 16x16) was measured, the row has it. Choosing the fastest block size would bias the time.
"""

from accelbench.analysis.cases import has_default_block
from accelbench.analysis.choices import accelerating, group_by
from accelbench.analysis.rows import CASE, columns, describe

COLUMNS = CASE | columns(
    ("launch_s launch_ci_low_s launch_ci_high_s call_s call_ci_low_s call_ci_high_s", float),
    ("case", str),
)


def rows(analysis):
    launched = (c for c in accelerating(analysis.cases) if c.ok and {"launch", "call"} <= c.record.timings.keys())
    groups = group_by(launched, lambda c: (*c.problem[:3], c.record.implementation, c.record.device)).values()
    for group in groups:
        case = min(group, key=lambda case: (case.record.size, not has_default_block(case)))
        row = describe(case, COLUMNS)
        for kind in ("launch", "call"):
            low, high = case.interval(kind)
            row |= {f"{kind}_s": case.seconds(kind), f"{kind}_ci_low_s": low, f"{kind}_ci_high_s": high}
        yield row
