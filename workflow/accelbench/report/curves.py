"""Curves of a kernel's figures: their labels and numbers. If there are many curves, only some have a label."""

import math
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

from accelbench.analysis.cases import baseline_name
from accelbench.analysis.choices import by_implementation, group_by
from accelbench.decide.answer import KINDS, ON_A_GPU, ON_CORES, PAGEABLE, RESIDENT
from accelbench.figures import style
from accelbench.figures.lines import Line
from accelbench.pages.pictures import Plot

MOST_LINES = 12  # Maximum number of labelled lines in a figure
BESIDE = " · "  # Separator between an implementation and its device or threads


def time_shown(analysis):
    """Return (kind of time in figures, place of the data in titles, place of the data in summaries).

    On a machine with a GPU, figures show the time of the kernel alone, on resident data. On other machines, figures
    show times for the page's default place of the data.
    """
    if analysis.gpus:
        return "compute", ", data resident", f", data {ON_A_GPU[RESIDENT]}"
    return KINDS[PAGEABLE], "", f", data {ON_CORES[PAGEABLE]}"


class Series:
    """Cases of one family (kernel, dtype and options), and values that the family's figures share.

    several_options  whether the kernel has families with different options
    base             whether the figures show the base ranking (main algorithm, strict, native, one thread)

    kind       kind of time
    bests      Best of each implementation on each device, at each size
    baselines  names of the baselines at all sizes
    resident   two texts on the place of the data, for titles and for summaries
    """

    def __init__(self, analysis, family, several_options=False, *, base=False):
        self.analysis, self.family = analysis, family
        self.metadata = analysis.kernels[family.kernel]
        backends = {name: about.backend for name, about in sorted(self.metadata.implementations.items())}
        self.looks = style.looks(backends)
        self.cases = list(filter(family.holds, analysis.by_kernel[family.kernel]))
        self.kind, *self.resident = time_shown(analysis)
        bests = analysis.bests(self.kind, by_implementation, base=base)
        self.bests = [best for best in bests if family.holds(best.case)]
        self.baselines = {baseline_name(best.case) for best in self.bests} - {None}
        self.scaling = [
            scaling for scaling in analysis.scaling(self.kind) if family.holds(scaling[0].case) and not base
        ]
        self.label = device_labels(analysis, family.kernel)
        self.suffix = "-".join(filter(None, [family.dtype, style.slug(family.options) if several_options else ""]))

    def plot(self, kind, chart, *, title, words, heading=None, note=""):
        """Return the Plot of a chart of this family; `words` describe the chart, and `heading` names the problem."""
        heading = heading or self.family.title
        name = f"{self.family.kernel}-{kind}-{self.suffix}"
        summary = f"{self.metadata.title}, {heading}: {words} {chart.alt_text()}".strip()
        return Plot(name, chart, f"{title}, {heading}", summary, note)

    def time_lines(self):
        """Return a Line with the best cases of each implementation.

        If an implementation's best cases do not use its smallest number of threads, add a Line with this number.
        """
        cases = {best.case for best in self.bests}
        fewest = [b for b, least, _ in self.scaling if b is least and b.case not in cases]
        threads = {best: f"{BESIDE}{best.case.record.threads}T" for best in fewest}
        curves = group_by([*self.bests, *fewest], lambda b: (self.label(b.case) + threads.get(b, ""), b in threads))
        lines = []
        for (label, is_fewest), curve in curves.items():
            sized = sorted((b for b in curve if b.case.record.size > 0), key=lambda best: best.case.record.size)
            if sized:
                x, y, ends = zip(*((b.case.record.size, b.seconds, b.ends) for b in sized), strict=True)
                look = self.looks.get(curve[0].case.record.implementation) or style.Look(style.OTHER_LIGHT, "o", "-")
                implausible = [bool(b.case.implausible) for b in sized]
                low, high = map(list, zip(*ends, strict=True))
                lines.append(Line(label, look, [*x], [*y], low, high, is_fewest, implausible=implausible))
        return mute(sorted(lines, key=lambda line: line.y[-1], reverse=True), self.baselines)

    def cache_sizes(self):
        """Return [("L2" or "L3", smallest size at which a call moves more bytes than the cache holds), ...].

        Omit a cache if this size is not within the measured sizes.
        """
        moved = {c.record.size: c.moved_bytes for c in self.cases if c.bandwidth_gb_s and c.record.size > 0}
        caches = self.analysis.machine.cpu.caches
        crossings = [(name, crossing(sorted(moved.items()), caches.get(name))) for name in ("L2", "L3")]
        return [(name, size) for name, size in crossings if size is not None]


def crossing(points, level):
    """Return the x at which ascending (x, y) points cross `level`, interpolated in logarithms.

    Return None if the points do not cross the level.
    """
    for (x0, y0), (x1, y1) in pairwise(points):
        if level and y0 <= level < y1:
            return math.exp(math.log(x0) + math.log(level / y0) / math.log(y1 / y0) * math.log(x1 / x0))
    return None


def device_labels(analysis, kernel):
    """Return a function from a Case to the name of its implementation.

    The name includes the device if the implementation was planned on several devices.
    """
    devices = defaultdict(set)
    for case in analysis.by_kernel[kernel]:
        devices[case.record.implementation].add(case.record.device)

    def label(case):
        name, device = case.record.implementation, case.record.device
        several = device is not None and len(devices[name] - {None}) > 1
        return f"{name}{BESIDE}{analysis.short_devices[device]}" if several else name

    return label


def mute(lines, baselines):
    """Return the lines. If there are more than MOST_LINES, keep at most MOST_LINES labels, and mute all other lines.

    The kept labels are those of baselines, then those of the best line of each backend on each device. The best line is
    the lowest at the largest size.
    """
    if len(lines) <= MOST_LINES:
        return lines
    best = {}
    for line in sorted(lines, key=lambda line: (-line.x[-1], line.y[-1])):
        if not line.fewest_threads:
            best.setdefault((line.look.color, line.label.partition(BESIDE)[2]), line.label)
    labels = [*sorted({line.label for line in lines} & set(baselines)), *best.values()]
    named = list(dict.fromkeys(labels))[:MOST_LINES]
    return [replace(line, muted=line.label not in named) for line in lines]
