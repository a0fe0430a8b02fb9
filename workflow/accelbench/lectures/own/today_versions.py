"""Whether the newer of two versions of a library got slower: a row for each kernel, implementation and device."""

import re
from itertools import pairwise

from accelbench.analysis.choices import group_by
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER
from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.row_charts import Ratios
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import View, by_reason, device_name, nothing

IN_WORDS = {SLOWER: "slower", FASTER: "faster", SAME: "the same", AMBIGUOUS: "not settled", None: "of one process"}
NONE = "the configuration names no two versions of a library, as numba@0.67 and numba@0.68 among its environments"


def view(entry, results):
    """Return the View of how many times as fast each newer version is, what got slowest first."""
    pairs, missing = _compare(entry, results)
    if not pairs:
        return nothing("; ".join(missing) or NONE)
    which = group_by(pairs, lambda pair: pair[1])
    label = f"times as fast, {pairs[0][1]}" if len(which) == 1 else "times as fast as the version before"
    names = [name if len(which) == 1 else f"{name}, {versions}" for name, versions, _ in pairs]
    told, rows = [], []
    for versions, own in which.items():
        verdicts = [compared.verdict for *_, compared in own]
        words = [f"{verdicts.count(verdict)} {word}" for verdict, word in IN_WORDS.items() if verdict in verdicts]
        told.append(f"{versions}: of {len(own)}, {', '.join(words)}.")
    for label_of_row, (name, versions, compared) in zip(names, pairs, strict=True):
        ratio, interval = results.text(style.ratio, *compared[:3]), style.interval(*compared[1:3], style.ratio)
        rows.append([label_of_row, ratio, interval, IN_WORDS[compared.verdict]])
        if compared.verdict == SLOWER:
            told.append(f"Slower, {versions}: {name}, {ratio} as fast (95 % interval {interval}).")
    chart = Ratios([compared for *_, compared in pairs], results.cases[0].scatter.same_within, label, names)
    table = Table(["", "ratio", "95 % interval", "the newer is"], rows)
    return View(chart, f"{entry.title} {' '.join(told)}", table, sentences=told, missing=missing)


def _compare(entry, results):
    """([(kernel, implementation and device, the two versions, Comparison at the largest size)], what got slowest first,
    and [what could not be compared, with the reason])."""

    def place(case):
        name = case.record.implementation.partition("@")[0]
        return case.record.kernel, name, case.record.device if case.on_accelerator else None

    pairs, missing = [], []
    contestants = (case for case in results.cases if "@" in case.record.implementation)
    for (kernel, name, device), own in group_by(contestants, place).items():
        versions = group_by(own, lambda case: case.record.implementation.partition("@")[2])
        label = " · ".join(filter(None, [f"{kernel}: {name}", device_name(device)]))
        for both in pairwise(sorted(versions, key=_natural)) if entry.draws(name) else ():
            slow, fast = (fastest(largest(versions[version]), entry.time) for version in both)
            if slow.case and fast.case:
                named = f"{fast.case.record.backend} {' to '.join(both)}"
                pairs.append((label, named, results.ratio(slow, fast)))
            failed = [pair for pair in zip(both, (slow, fast), strict=True) if not pair[1].case]
            missing += [(f"{label}@{version}", value.reason) for version, value in failed]
    return sorted(pairs, key=lambda pair: pair[2].ratio), by_reason(missing)


def _natural(version):
    """What sorts 0.9 before 0.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", version) if part != "."]
