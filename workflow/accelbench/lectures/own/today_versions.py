"""Whether the newer of two versions of a library got slower: a row for each kernel, implementation and device."""

import re
from itertools import pairwise
from typing import NamedTuple

from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER, Comparison
from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.ratios import Ratios
from accelbench.lectures.value import fastest
from accelbench.lectures.view import View, by_reason, device_name, nothing

IN_WORDS = {SLOWER: "slower", FASTER: "faster", SAME: "the same", AMBIGUOUS: "not settled", None: "of one process"}
NONE = "the configuration names no two versions of a library, as numba@0.67 and numba@0.68 among its environments"


class VersionPair(NamedTuple):
    """Two versions of an implementation on one device: how many times as fast the newer is at the largest size."""

    name: str
    versions: str
    compared: Comparison

    @property
    def words(self):
        interval = style.interval(self.compared.low, self.compared.high, style.ratio)
        return style.ratio(self.compared.ratio), interval, IN_WORDS[self.compared.verdict]


def view(entry, results):
    """Return the View of how many times as fast each newer version is, what got slowest first."""
    pairs, missing = _compare(entry, results)
    if not pairs:
        return nothing("; ".join(missing) or NONE)
    which = [*dict.fromkeys(pair.versions for pair in pairs)]
    names = [pair.name if len(which) == 1 else f"{pair.name}, {pair.versions}" for pair in pairs]
    label = f"times as fast, {which[0]}" if len(which) == 1 else "times as fast as the version before"
    chart = Ratios([pair.compared for pair in pairs], results.cases[0].scatter.same_within, label, names)
    told = [*(_count(versions, pairs) for versions in which), *_name_slower(pairs)]
    table = Table(
        ["", "ratio", "95 % interval", "the newer is"],
        [[name, *pair.words] for name, pair in zip(names, pairs, strict=True)],
    )
    return View(chart, f"{entry.title} {' '.join(told)}", table, sentences=told, missing=missing)


def _compare(entry, results):
    """([VersionPair], what got slowest first, [what could not be compared, with the reason])."""
    groups = {}
    for case in results.cases:
        name, at, version = case.record.implementation.partition("@")
        if at and entry.draws(name):
            device = case.record.device if case.on_accelerator else None
            groups.setdefault((case.record.kernel, name, device), {}).setdefault(version, []).append(case)
    pairs, missing = [], []
    for (kernel, name, device), versions in groups.items():
        label = " · ".join(filter(None, [f"{kernel}: {name}", device_name(device)]))
        for old, new in pairwise(sorted(versions, key=_natural)):
            slow, fast = (_at_largest(versions[version], entry.time) for version in (old, new))
            failed = [(f"{label}@{version}", value.reason) for version, value in ((old, slow), (new, fast))
                      if value.seconds is None]  # fmt: skip
            missing += failed
            if not failed:
                backend = fast.case.record.backend
                pairs.append(VersionPair(label, f"{backend} {old} to {new}", results.ratio(slow, fast)))
    return sorted(pairs, key=lambda pair: pair.compared.ratio), by_reason(missing)


def _natural(version):
    """What sorts 0.9 before 0.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", version) if part != "."]


def _at_largest(cases, kind):
    largest = max(case.record.size for case in cases)
    return fastest([case for case in cases if case.record.size == largest], kind)


def _count(versions, pairs):
    verdicts = [pair.compared.verdict for pair in pairs if pair.versions == versions]
    words = [f"{verdicts.count(verdict)} {word}" for verdict, word in IN_WORDS.items() if verdict in verdicts]
    return f"{versions}: of {len(verdicts)}, {', '.join(words)}."


def _name_slower(pairs):
    for pair in pairs:
        if pair.compared.verdict == SLOWER:
            ratio, interval, _ = pair.words
            yield f"Slower, {pair.versions}: {pair.name}, {ratio} as fast (95 % interval {interval})."
