"""From tables to what the page shows: the lines of figures, the cells of the heatmap, the rows of tables."""

import math
import shlex
from collections import Counter, defaultdict
from itertools import pairwise

from accelbench.report import figures, style
from accelbench.report.drawing import Plot

WORDS = {
    "unavailable": "n/a",
    "unsupported": "n/a",
    "build_failed": "no build",
    "wrong_result": "wrong",
    "error": "error",
    "timeout": "timeout",
    "too_slow": "too slow",
    "out_of_memory": "memory",
    "crashed": "crash",
}


def records(frame):
    """The rows of a table as dictionaries."""
    return frame.to_dict("records")


def backend_looks(card):
    return style.looks({name: about["backend"] for name, about in sorted(card["implementations"].items())})


def families(results, kernel):
    """(dtype, options) of a kernel's problems, dtypes in the card's order: what one figure each is drawn for."""
    order = {dtype: place for place, dtype in enumerate(results.cards[kernel]["dtypes"])}
    pairs = {(row["dtype"], row["options"]) for row in records(results.of("timings", kernel=kernel))}
    return sorted(pairs, key=lambda pair: (pair[1] or "", order.get(pair[0], len(order)), pair[0]))


def family_title(dtype, options, several):
    return f"{dtype}, {options}" if options and several else dtype


class Series:
    """The curves of one family: the best of each implementation and device, and its other thread counts."""

    def __init__(self, results, kernel, dtype, options):
        self.looks = backend_looks(results.cards[kernel])
        self.timings = {
            r["case"]: r for r in records(results.of("timings", kernel=kernel, dtype=dtype)) if r["options"] == options
        }
        self.best = [r for r in records(results.of("best", kernel=kernel, dtype=dtype)) if r["options"] == options]
        self.scaling = [
            r for r in records(results.of("scaling", kernel=kernel, dtype=dtype)) if r["options"] == options
        ]
        devices = defaultdict(set)
        for row in self.best:
            devices[row["implementation"]].add(row["device"])
        self._devices = devices

    def look(self, implementation):
        return self.looks.get(implementation) or style.Look(style.OTHER_LIGHT, "o", "-")

    def label(self, row):
        """Its implementation, with the device where it ran on several."""
        name = row["implementation"]
        return f"{name} · {short_device(row['device'])}" if len(self._devices[name]) > 1 else name

    def curves(self):
        """{(label, thin): [table row per size]}: each at its best; thin ones hold the threads that are not the best."""
        found = defaultdict(list)
        chosen = set()
        for row in self.best:
            chosen.add(row["case"])
            found[self.label(row), False].append((row["size"], row, row["case"]))
        for row in self.scaling:
            if row["case"] not in chosen and row["threads"] == row["fewest_threads"]:
                found[f"{self.label(row)} · {row['threads']}T", True].append((row["size"], row, row["case"]))
        return {key: sorted(rows, key=lambda item: item[0]) for key, rows in found.items()}

    def time_lines(self):
        lines = []
        for (label, thin), rows in self.curves().items():
            points = [(size, self.timings[case]) for size, _, case in rows if size > 0]
            names = ("compute_s", "compute_ci_low_s", "compute_ci_high_s")
            lines += self._line(label, thin, rows[0][1]["implementation"], points, names)
        return _by_value(lines)

    def speedup_lines(self):
        lines = []
        for (label, thin), rows in self.curves().items():
            points = [(size, row if not thin else self.timings[case]) for size, row, case in rows if size > 0]
            names = ("speedup", "speedup_ci_low", "speedup_ci_high")
            lines += self._line(label, thin, rows[0][1]["implementation"], points, names)
        return _by_value(lines)

    def block_lines(self):
        """(blocks, lines) at the largest size that was measured with several block sizes; ([], []) if none."""
        groups = defaultdict(dict)
        for row in self.timings.values():
            if row["compute_s"] is not None and row["block_size"] is not None:
                key = row["size"], row["implementation"], row["device"], row["threads"]
                known = groups[key].get(row["block_size"])
                if known is None or row["compute_s"] < known["compute_s"]:
                    groups[key][row["block_size"]] = row
        groups = {key: rows for key, rows in groups.items() if len(rows) > 1}
        if not groups:
            return None, [], []
        size = max(key[0] for key in groups)
        groups = {key: rows for key, rows in groups.items() if key[0] == size}
        blocks = sorted({block for rows in groups.values() for block in rows}, key=block_order)
        threads = defaultdict(set)
        for _, implementation, device, count in groups:
            threads[implementation, device].add(count)
        lines = []
        for (_, implementation, device, count), rows in groups.items():
            several = threads[implementation, device]
            label = self.label({"implementation": implementation, "device": device})
            label += f" · {count}T" if len(several) > 1 else ""
            points = [(blocks.index(b), rows[b]) for b in blocks if b in rows]
            names = ("compute_s", "compute_ci_low_s", "compute_ci_high_s")
            lines += self._line(label, len(several) > 1 and count == min(several), implementation, points, names)
        return size, blocks, _by_value(lines)

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
            lines += self._line(label, False, implementation, sorted(points, key=lambda p: p[0]), names)
        return size, _by_value(lines)

    def _line(self, label, thin, implementation, points, names):
        value, low, high = names
        points = [(x, row) for x, row in points if row[value]]
        if not points:
            return []
        x, rows = zip(*points, strict=True)
        y = [row[value] for row in rows]
        lows = [row[low] or row[value] for row in rows]
        highs = [row[high] or row[value] for row in rows]
        return [figures.Line(label, self.look(implementation), list(x), y, lows, highs, thin)]

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
    """Block sizes by their number of threads: 64, 256, 16x16."""
    return math.prod(map(int, block.split("x"))), block


def short_device(name):
    """A device's name short enough for a label."""
    name = str(name).replace("NVIDIA ", "")
    return name if len(name) <= 14 else f"{name[:13]}…"


def _by_value(lines):
    return sorted(lines, key=lambda line: line.y[-1], reverse=True)


def kernel_plots(results, kernel):
    """Every Plot of a kernel, grouped by what they show: {"time": [...], "speedup": [...], ...}."""
    plots = defaultdict(list)
    several_options = len({options for _, options in families(results, kernel)}) > 1
    for dtype, options in families(results, kernel):
        series = Series(results, kernel, dtype, options)
        title = family_title(dtype, options, several_options)
        suffix = "-".join(filter(None, [dtype, slug(options) if several_options else ""]))
        own = (results, kernel, series, title, suffix)
        for what, found in (*_size_plots(*own), *_setting_plots(*own)):
            plots[what].append(found)
    plots["startup"] = list(startup_plot(results, kernel))
    return {what: found for what, found in plots.items() if found}


def _size_plots(results, kernel, series, title, suffix):
    """Time and speedup against size; the ranking where there is but one size."""
    card = results.cards[kernel]
    size_axis = {"x_label": card["size"], "caches": series.cache_sizes(results.machine)}
    lines = series.time_lines()
    sizes = {x for line in lines for x in line.x}
    if len(sizes) == 1:
        yield "time", _ranking_plot(kernel, card, lines, *sizes, title, suffix)
        return
    if lines:
        yield (
            "time",
            Plot(
                f"{kernel}-time-{suffix}",
                "against_size",
                {"lines": lines, "what": "time", **size_axis},
                f"Time against size, {title}",
                f"{card['title']}, {title}: time of one call for each implementation at its best settings. "
                + _fastest_at_end(lines, style.seconds, lowest=True),
                *_numbers(lines, "size", style.seconds),
            ),
        )
    lines = series.speedup_lines()
    if lines:
        yield (
            "speedup",
            Plot(
                f"{kernel}-speedup-{suffix}",
                "against_size",
                {"lines": lines, "what": "speedup", **size_axis},
                f"Speedup over {card['baseline']}, {title}",
                f"{card['title']}, {title}: how many times faster than {card['baseline']}. "
                + _fastest_at_end(lines, style.ratio, lowest=False),
                *_numbers(lines, "size", style.ratio),
            ),
        )


def _ranking_plot(kernel, card, lines, size, title, suffix):
    return Plot(
        f"{kernel}-time-{suffix}",
        "ranking",
        {"lines": lines},
        f"Time at size {style.size(size)}, {title}",
        f"{card['title']}, {title}: time of one call for each implementation at its best settings, fastest first. "
        + _fastest_at_end(lines, style.seconds, lowest=True),
        *_numbers(lines, "size", style.seconds)[:2],
    )


def _setting_plots(results, kernel, series, title, suffix):
    """Time against block size and scaling with threads."""
    card = results.cards[kernel]
    size, blocks, lines = series.block_lines()
    if lines:
        yield (
            "blocks",
            Plot(
                f"{kernel}-blocks-{suffix}",
                "against_block_size",
                {"lines": lines, "blocks": blocks},
                f"Time against block size, {title}, size {style.size(size)}",
                f"{card['title']}, {title}, size {style.size(size)}: time of one call by block size.",
                *_numbers(lines, "block size", style.seconds, blocks),
            ),
        )
    size, lines = series.thread_lines()
    if lines:
        yield (
            "threads",
            Plot(
                f"{kernel}-threads-{suffix}",
                "against_threads",
                {"lines": lines},
                f"Scaling with threads, {title}, size {style.size(size)}",
                f"{card['title']}, {title}, size {style.size(size)}: speedup of each over its fewest threads.",
                *_numbers(lines, "threads", style.ratio),
            ),
        )


def _fastest_at_end(lines, show, lowest):
    end = max(line.x[-1] for line in lines)
    last = [line for line in lines if line.x[-1] == end]
    best = (min if lowest else max)(last, key=lambda line: line.y[-1])
    return f"At size {style.size(end)} the lead is with {best.label}: {show(best.y[-1])}."


def _numbers(lines, x_name, show, x_names=None):
    """(columns, rows, key) of a figure: a row of numbers per line, a column per x, and what each line looks like."""
    every = sorted({x for line in lines for x in line.x})
    columns = [x_name, *(x_names[x] if x_names else style.size(x) for x in every)]
    rows = []
    for line in lines:
        values = dict(zip(line.x, line.y, strict=True))
        rows.append([line.label, *(show(values.get(x)) for x in every)])
    variables = style.theme_variables()
    key = [(style.MARKERS[line.look.marker], f"var({variables[line.look.color]})", line.label) for line in lines]
    return columns, rows, key


def startup_plot(results, kernel):
    """The start-up costs of a kernel's implementations: the first dtype, with most threads."""
    card = results.cards[kernel]
    chosen = {}
    order = {dtype: place for place, dtype in enumerate(card["dtypes"])}
    for row in records(results.of("startup", kernel=kernel)):
        rank = order.get(row["dtype"], len(order)), -(row["threads"] or 0)
        key = row["implementation"], row["device"]
        if row["startup_s"] is not None and (key not in chosen or rank < chosen[key][0]):
            chosen[key] = rank, row
    rows = sorted((row for _, row in chosen.values()), key=lambda row: row["startup_s"])
    if not rows:
        return
    several = Counter(row["implementation"] for row in rows)
    names = [
        f"{r['implementation']} · {short_device(r['device'])}"
        if several[r["implementation"]] > 1
        else r["implementation"]
        for r in rows
    ]
    parts = [[row[p] or 0.0 for p in ("import_s", "context_s", "build_s", "first_call_extra_s")] for row in rows]
    yield Plot(
        f"{kernel}-startup",
        "startup",
        {"names": names, "colors": [style.color(row["backend"]) for row in rows], "parts": parts},
        "Start-up, once per process",
        f"{card['title']}: seconds until the first result, the least being {names[0]} with "
        f"{style.seconds(rows[0]['startup_s'])}, the most {names[-1]} with {style.seconds(rows[-1]['startup_s'])}.",
        ["implementation", *figures.STARTUP, "total", "compiled ahead"],
        [
            [name, *map(style.seconds, part), style.seconds(row["startup_s"]), style.seconds(row["compile_s"])]
            for name, part, row in zip(names, parts, rows, strict=True)
        ],
    )


def heatmap_plots(results):
    """Plots of speedups at the largest size: every kernel in its first dtype, then in its second, and so on."""
    ranks = defaultdict(list)
    for kernel in results.cards:
        groups = defaultdict(list)
        for dtype, options in families(results, kernel):
            groups[dtype].append((kernel, dtype, options))
        for rank, problems in enumerate(groups.values()):
            ranks[rank] += problems
    for problems in ranks.values():
        yield _heatmap(results, problems)


def _heatmap(results, problems):
    main_dtype = Counter(dtype for _, dtype, _ in problems).most_common(1)[0][0]
    labels = _problem_labels(problems, main_dtype)
    cells, backends = defaultdict(dict), {}
    for column, (kernel, dtype, options) in enumerate(problems):
        for name, about in results.cards[kernel]["implementations"].items():
            cell = heat_cell(results, kernel, dtype, options, name)
            if cell is not None:
                cells[name][column] = cell
                backends[name] = about["backend"]
    order = list(style.LIGHT)
    rows = sorted(cells, key=lambda name: (order.index(backends[name]) if backends[name] in order else 99, name))
    grid = [[cells[name].get(column) for column in range(len(problems))] for name in rows]
    others = [label for label, (_, dtype, _) in zip(labels, problems, strict=True) if dtype != main_dtype]
    note = f" (the column says where it is not {main_dtype})" if others else ""
    return Plot(
        f"overview-speedup-{main_dtype}",
        "heatmap",
        {"rows": rows, "row_colors": [style.color(backends[n]) for n in rows], "columns": labels, "cells": grid},
        f"Speedup over NumPy at the largest size, {main_dtype}",
        f"One row per implementation, one column per kernel, in {main_dtype}{note}.",
        ["implementation", *labels],
        [[name, *map(_cell_text, row)] for name, row in zip(rows, grid, strict=True)],
    )


def _problem_labels(problems, main_dtype):
    """A kernel's name, with dtype and options where the columns would not be clear without."""
    counts = Counter(kernel for kernel, _, _ in problems)
    return [
        " ".join(filter(None, [kernel, dtype if dtype != main_dtype else "", options if counts[kernel] > 1 else ""]))
        for kernel, dtype, options in problems
    ]


def heat_cell(results, kernel, dtype, options, implementation):
    """The Cell of one implementation at the largest size of its problems; None where it was not planned."""
    planned = [row for row in records(results.of("timings", kernel=kernel, dtype=dtype)) if row["options"] == options]
    largest = max(row["size"] for row in planned)
    own = [row for row in planned if row["implementation"] == implementation and row["size"] == largest]
    best = [
        row
        for row in records(results.of("best", kernel=kernel, dtype=dtype, implementation=implementation, size=largest))
        if row["options"] == options and row["speedup"] is not None
    ]
    if best:
        row = max(best, key=lambda row: row["speedup"])
        return figures.Cell(row["speedup"], sure=row["verdict"] != "AMBIGUOUS")
    if own:
        return figures.Cell(None, WORDS.get(own[0]["outcome"], "–"))
    return None


def _cell_text(cell):
    if cell is None:
        return ""
    return cell.word if cell.speedup is None else style.ratio(cell.speedup) + ("" if cell.sure else " (not sure)")


def winner_rows(results):
    """Per kernel and family, the winner or tie at each size: [{kernel, title, family, sizes: [...]}]."""
    rows = []
    for kernel, card in results.cards.items():
        several = len({options for _, options in families(results, kernel)}) > 1
        for dtype, options in families(results, kernel):
            found = records(results.of("winners", kernel=kernel, dtype=dtype))
            ends = {r["size"]: r for r in found if r["options"] == options and r["timing"] == "end_to_end"}
            sizes = [
                {**row, "names": winner_names(row), "end_to_end": ends.get(row["size"])}
                for row in sorted(found, key=lambda row: row["size"])
                if row["options"] == options and row["timing"] == "compute"
            ]
            if sizes:
                rows.append(
                    {
                        "kernel": kernel,
                        "title": card["title"],
                        "family": family_title(dtype, options, several),
                        "sizes": sizes,
                    }
                )
    return rows


def winner_names(row):
    """The winner, all of a tie, or the fastest where nothing was decided."""
    if row["decision"] == "tie":
        return row["tie"].split(" ")
    name = row["winner"] or row["fastest"]
    return [name] if name else []


def crossover_rows(results, kernel, dtype, options):
    """From which size each implementation pays, resident and end to end, and what it costs: at its most threads."""
    found = [r for r in records(results.of("crossover", kernel=kernel, dtype=dtype)) if r["options"] == options]
    groups = defaultdict(dict)
    for row in found:
        if row["implementation"] != results.cards[kernel]["baseline"]:
            groups[row["implementation"], row["device"]].setdefault(row["threads"] or 0, {})[row["timing"]] = row
    rows = []
    for (implementation, device), by_threads in groups.items():
        timings = by_threads[max(by_threads)]
        rows.append({"implementation": implementation, "device": device, **timings})
    return sorted(rows, key=lambda row: (row["compute"]["faster_from_size"] or math.inf, row["implementation"]))


def case_rows(results, kernel):
    """Every case of a kernel, as table rows; paper gets the times at the largest size."""
    rows = records(results.of("timings", kernel=kernel))
    largest = max((row["size"] for row in rows), default=0)
    return [{**row, "on_paper": row["size"] == largest and row["outcome"] == "ok"} for row in rows]


def failures(results):
    """What is not ok, alike cases together: [{kernel, implementation, outcome, reason, cases}]."""
    groups = defaultdict(list)
    for row in records(results.tables["outcomes"]):
        if row["outcome"] != "ok":
            groups[row["kernel"], row["implementation"], row["outcome"], row["reason"]].append(row["case"])
    names = ("kernel", "implementation", "outcome", "reason")
    return [{**dict(zip(names, key, strict=True)), "cases": cases} for key, cases in groups.items()]


def outcome_counts(results):
    """{outcome: cases}, ok first, then by number."""
    counts = Counter()
    for row in records(results.tables["outcomes"]):
        counts[row["outcome"]] += row["cases"]
    return dict(sorted(counts.items(), key=lambda item: (item[0] != "ok", -item[1])))


def rerun_command(case):
    """The shell command that reruns one case."""
    quoted = f"'{case}'" if "'" not in case else shlex.quote(case)
    return f"python -m accelbench case {quoted}"


def slug(text):
    """Letters, digits and dashes, for file names and anchors."""
    return "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in str(text or "")).lower().split())
