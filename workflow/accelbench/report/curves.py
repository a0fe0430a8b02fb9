"""The curves of a kernel's figures: who has one, what it is called, which of many are named, and its numbers."""

import math
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

from accelbench.figures import style
from accelbench.figures.canvas import Line

MOST_LINES = 30  # beyond these a figure names the fastest alone, and the fastest of each backend
NAMED = 10
BESIDE = " · "  # between an implementation and its device or threads


def backend_looks(card):
    return style.looks({name: about["backend"] for name, about in sorted(card["implementations"].items())})


def families(results, kernel):
    """(dtype, options) of a kernel's problems, dtypes in the card's order: what one figure each is drawn for."""
    order = {dtype: place for place, dtype in enumerate(results.cards[kernel]["dtypes"])}
    pairs = {(row["dtype"], row["options"]) for row in results.rows("timings", kernel=kernel)}
    return sorted(pairs, key=lambda pair: (pair[1] or "", order.get(pair[0], len(order)), pair[0]))


def family_title(dtype, options, several):
    return f"{dtype}, {options}" if options and several else dtype


class Series:
    """The curves of one family: the best of each implementation and device, and its other thread counts."""

    def __init__(self, results, kernel, dtype, options):
        own = {"kernel": kernel, "dtype": dtype, "options": options}
        self.baseline = results.cards[kernel]["baseline"]
        self.looks = backend_looks(results.cards[kernel])
        self.timings = {row["case"]: row for row in results.rows("timings", **own)}
        self.best = results.rows("best", **own)
        self.scaling = results.rows("scaling", **own)
        self.label = device_labels(results, kernel)

    def look(self, implementation):
        return self.looks.get(implementation) or style.Look(style.OTHER_LIGHT, "o", "-")

    def curves(self):
        """{(label, thin): [table row per size]}: each at its best; thin ones hold the threads that are not the best."""
        found = defaultdict(list)
        chosen = set()
        for row in self.best:
            chosen.add(row["case"])
            found[self.label(row), False].append((row["size"], row, row["case"]))
        for row in self.scaling:
            if row["case"] not in chosen and row["threads"] == row["fewest_threads"]:
                found[f"{self.label(row)}{BESIDE}{row['threads']}T", True].append((row["size"], row, row["case"]))
        return {key: sorted(rows, key=lambda item: item[0]) for key, rows in found.items()}

    def time_lines(self):
        lines = []
        for (label, thin), rows in self.curves().items():
            points = [(size, self.timings[case]) for size, _, case in rows if size > 0]
            names = ("compute_s", "compute_ci_low_s", "compute_ci_high_s")
            lines += self.line(label, thin, rows[0][1]["implementation"], points, names)
        return quieten(_by_value(lines), self.baseline, False)

    def speedup_lines(self):
        lines = []
        for (label, thin), rows in self.curves().items():
            points = [(size, row if not thin else self.timings[case]) for size, row, case in rows if size > 0]
            names = ("speedup", "speedup_ci_low", "speedup_ci_high")
            lines += self.line(label, thin, rows[0][1]["implementation"], points, names)
        return quieten(_by_value(lines), self.baseline, True)

    def thread_lines(self):
        """(size, lines) at the largest size any threaded implementation was measured at."""
        size = max((row["size"] for row in self.scaling), default=None)
        groups = defaultdict(list)
        for row in self.scaling:
            if row["size"] == size:
                groups[self.label(row), row["implementation"]].append((row["threads"], row))
        lines = []
        for (label, implementation), points in groups.items():
            names = ("scaling", "scaling_ci_low", "scaling_ci_high")
            lines += self.line(label, False, implementation, sorted(points, key=lambda p: p[0]), names)
        return size, quieten(_by_value(lines), self.baseline, True)

    def line(self, label, thin, implementation, points, names):
        """[Line] through those of the (x, row) points that have a value, or []; names of value, low and high end."""
        value, low, high = names
        points = [(x, row) for x, row in points if row[value]]
        if not points:
            return []
        x, rows = zip(*points, strict=True)
        y = [row[value] for row in rows]
        lows = [row[low] or row[value] for row in rows]
        highs = [row[high] or row[value] for row in rows]
        implausible = [bool(self.timings[row["case"]]["implausible"]) for row in rows]
        return [Line(label, self.look(implementation), list(x), y, lows, highs, thin, implausible=implausible)]

    def cache_sizes(self, machine):
        """(cache, size) where the working set outgrows the machine's L2 and L3 within the sizes measured."""
        working_sets = {}
        for row in self.timings.values():
            if row["bandwidth_gb_s"] and row["compute_s"] and row["size"] > 0:
                working_sets[row["size"]] = row["bandwidth_gb_s"] * 1e9 * row["compute_s"]
        points = sorted(working_sets.items())
        caches = machine.get("cpu", {}).get("caches", {})
        found = [(name, crossing(points, caches.get(name))) for name in ("L2", "L3")]
        return [(name, size) for name, size in found if size is not None]


def crossing(points, level):
    """The x at which ascending (x, y) points reach `level`, by logarithms; None outside them."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if level and y0 <= level < y1:
            return math.exp(math.log(x0) + math.log(level / y0) / math.log(y1 / y0) * math.log(x1 / x0))
    return None


def block_order(block):
    """Block sizes by their number of threads, then by their first extent: 64, 256, 8x32, 16x16."""
    extents = tuple(map(int, block.split("x")))
    return math.prod(extents), extents


def device_labels(results, kernel):
    """A function from a row to its implementation, with the device where it ran on several."""
    devices = defaultdict(set)
    for row in results.rows("timings", kernel=kernel):
        devices[row["implementation"]].add(row["device"])

    def label(row):
        name = row["implementation"]
        several = row["device"] is not None and len(devices[name] - {None}) > 1
        return f"{name}{BESIDE}{results.short_devices[row['device']]}" if several else name

    return label


def quieten(lines, baseline, highest_first):
    """The lines, those faint that too many would hide: all but the best at the end, the best of each colour on each
    device, and the baseline."""
    if len(lines) <= MOST_LINES:
        return lines
    ranked = sorted(lines, key=lambda line: (-line.x[-1], -line.y[-1] if highest_first else line.y[-1]))
    best = {}
    for line in ranked:
        if not line.thin:
            best.setdefault((line.look.color, line.label.partition(BESIDE)[2]), line.label)
    named = {line.label for line in ranked[:NAMED]} | {baseline, *best.values()}
    return [replace(line, faint=line.label not in named) for line in lines]


def _by_value(lines):
    return sorted(lines, key=lambda line: line.y[-1], reverse=True)
