"""The curves of a kernel's figures: who has one, what it is called, which of many are named, and its numbers."""

import math
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

from accelbench.analysis.tables.best import BestRow
from accelbench.analysis.tables.scaling import ScalingRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.decide.choices import ON_A_GPU, RESIDENT
from accelbench.figures import style
from accelbench.figures.lines import Line
from accelbench.pages.pictures import Plot

MOST_LINES = 12  # of a figure that are named: baselines and the fastest of each backend
BESIDE = " · "  # between an implementation and its device or threads


def resident_words(analysis):
    """(what a title says, what a summary says) of where the data are of a time of the kernel alone: nothing where there
    is no accelerator."""
    return (", data resident", f", data {ON_A_GPU[RESIDENT]}") if analysis.gpus else ("", "")


def backend_looks(metadata):
    return style.looks({name: about.backend for name, about in sorted(metadata.implementations.items())})


class Series:
    """The curves of one family: the best of each implementation and device, and its other thread counts.

    baselines  what speedups are over, at one size or another
    over       what they are over, in words
    resident   where the data of these times are, in a title and in a summary

    `several_options` says whether the kernel has families that differ in their options.
    """

    def __init__(self, analysis, family, several_options=False):
        own = {"kernel": family.kernel, "dtype": family.dtype, "options": family.options}
        self.analysis, self.family = analysis, family
        self.metadata = analysis.kernels[family.kernel]
        self.looks = backend_looks(self.metadata)
        self.timings = {row.case: row for row in analysis.table(TimingRow, **own)}
        self.best = analysis.table(BestRow, **own)
        self.baselines = {row.baseline for row in self.best if row.baseline}
        self.over = next(iter(self.baselines)) if len(self.baselines) == 1 else "the fastest NumPy"
        self.scaling = analysis.table(ScalingRow, **own)
        self.resident = resident_words(analysis)
        self.label = device_labels(analysis, family.kernel)
        self.suffix = "-".join(filter(None, [family.dtype, style.slug(family.options) if several_options else ""]))

    def plot(self, kind, chart, *, title, words, heading=None, note=""):
        """The Plot of a chart of this family; `words` say what it shows, `heading` of which problem."""
        heading = heading or self.family.title
        name = f"{self.family.kernel}-{kind}-{self.suffix}"
        summary = f"{self.metadata.title}, {heading}: {words} {chart.alt_text()}".strip()
        return Plot(name, chart, f"{title}, {heading}", summary, note)

    def look(self, implementation):
        return self.looks.get(implementation) or style.Look(style.OTHER_LIGHT, "o", "-")

    def curves(self):
        """{(label, fewest_threads): [table row per size]}: each at its best; those of fewest_threads hold the threads
        that are not the best."""
        found = defaultdict(list)
        chosen = set()
        for row in self.best:
            chosen.add(row.case)
            found[self.label(row), False].append(row)
        for row in self.scaling:
            if row.case not in chosen and row.threads == row.fewest_threads:
                found[f"{self.label(row)}{BESIDE}{row.threads}T", True].append(row)
        return {key: sorted(rows, key=lambda row: row.size) for key, rows in found.items()}

    def time_lines(self):
        lines = []
        for (label, fewest_threads), rows in self.curves().items():
            timed = [self.timings[row.case] for row in rows if row.size > 0]
            points = [(r.size, r.compute_s, r.compute_ci_low_s, r.compute_ci_high_s, r.case) for r in timed]
            lines += self.line(label, rows[0].implementation, points, fewest_threads=fewest_threads)
        return self.ranked(lines, highest_first=False)

    def thread_lines(self):
        """(size, lines) at the largest size any threaded implementation was measured at."""
        size = max((row.size for row in self.scaling), default=None)
        groups = defaultdict(list)
        for row in self.scaling:
            if row.size == size:
                groups[self.label(row), row.implementation].append(row)
        lines = []
        for (label, implementation), rows in groups.items():
            rows.sort(key=lambda row: row.threads)
            points = [(r.threads, r.scaling, r.scaling_ci_low, r.scaling_ci_high, r.case) for r in rows]
            lines += self.line(label, implementation, points)
        return size, self.ranked(lines, highest_first=True)

    def ranked(self, lines, highest_first, most=MOST_LINES):
        """The lines by their last values, those muted that too many would hide."""
        lines = sorted(lines, key=lambda line: line.y[-1], reverse=True)
        return mute(lines, self.baselines, highest_first=highest_first, most=most)

    def line(self, label, implementation, points, *, fewest_threads=False):
        """[Line] through those of the points (x, value, low end, high end, case) that have a value, or []."""
        points = [point for point in points if point[1]]
        if not points:
            return []
        x, y, low, high, cases = map(list, zip(*points, strict=True))
        lows = [end or value for end, value in zip(low, y, strict=True)]
        highs = [end or value for end, value in zip(high, y, strict=True)]
        implausible = [bool(self.timings[case].implausible) for case in cases]
        return [Line(label, self.look(implementation), x, y, lows, highs, fewest_threads, implausible=implausible)]

    def cache_sizes(self):
        """(cache, size) where the working set outgrows the machine's L2 and L3 within the sizes measured."""
        working_sets = {}
        for row in self.timings.values():
            if row.bandwidth_gb_s and row.compute_s and row.size > 0:
                working_sets[row.size] = row.bandwidth_gb_s * 1e9 * row.compute_s
        points = sorted(working_sets.items())
        found = [(name, crossing(points, self.analysis.machine.cpu.caches.get(name))) for name in ("L2", "L3")]
        return [(name, size) for name, size in found if size is not None]


def crossing(points, level):
    """The x at which ascending (x, y) points reach `level`, by logarithms; None outside them."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if level and y0 <= level < y1:
            return math.exp(math.log(x0) + math.log(level / y0) / math.log(y1 / y0) * math.log(x1 / x0))
    return None


def device_labels(analysis, kernel):
    """A function from a row to its implementation, with the device where it ran on several."""
    devices = defaultdict(set)
    for row in analysis.table(TimingRow, kernel=kernel):
        devices[row.implementation].add(row.device)

    def label(row):
        name = row.implementation
        several = row.device is not None and len(devices[name] - {None}) > 1
        return f"{name}{BESIDE}{analysis.short_devices[row.device]}" if several else name

    return label


def mute(lines, baselines, *, highest_first, most=MOST_LINES):
    """The lines; where there are many, those muted that are neither baselines nor the best at the end of each colour on
    each device."""
    if len(lines) <= most:
        return lines
    ranked = sorted(lines, key=lambda line: (-line.x[-1], -line.y[-1] if highest_first else line.y[-1]))
    best = {}
    for line in ranked:
        if not line.fewest_threads:
            best.setdefault((line.look.color, line.label.partition(BESIDE)[2]), line.label)
    there = {line.label for line in lines}
    wanted = [*sorted(there & set(baselines)), *best.values()]
    named = list(dict.fromkeys(wanted))[:most]
    return [replace(line, muted=line.label not in named) for line in lines]
