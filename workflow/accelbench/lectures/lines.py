"""Lines over the size or the block size: which cases are on one, its name, and who has none."""

from dataclasses import dataclass, replace

from accelbench.figures import style
from accelbench.figures.lines import Line
from accelbench.lectures.value import NOTHING, fastest
from accelbench.lectures.view import by_reason, device_name


@dataclass(frozen=True)
class CaseLine:
    """A Line, the implementation it is of, and the largest size among its cases."""

    implementation: str
    line: Line
    size: int

    def told(self, words):
        """The same with words behind its label."""
        return replace(self, line=replace(self.line, label=f"{self.line.label} · {words}"))

    def marked(self, words, number):
        """The same for one of several groups of lines: with words behind its label, and a look of that number."""
        look = self.line.look._replace(
            marker=list(style.MARKERS)[number % len(style.MARKERS)], dashes=style.DASHES[number % len(style.DASHES)]
        )
        told = self.told(words)
        return replace(told, line=replace(told.line, look=look))


def best_lines(entry, cases, *, x_of, value_of):
    """[CaseLine], highest first: each implementation, device and thread count that is drawn, by the fastest of the rest
    at each x. `value_of(cases)` is (value, low and high end of its interval)."""
    groups, threads = {}, {}
    for case in cases:
        r = case.record
        if entry.draws(r.implementation):
            group = groups.setdefault((r.kernel, r.implementation, r.device, r.threads), {})
            group.setdefault(x_of(case), []).append(case)
            threads.setdefault((r.kernel, r.implementation, r.device), set()).add(r.threads)
    several = len({kernel for kernel, *_ in groups}) > 1
    looks = style.looks(dict(sorted((case.record.implementation, case.record.backend) for case in cases)))
    lines = []
    for (kernel, name, device, count), found in groups.items():
        points = [(x, *value_of(at_x)) for x, at_x in sorted(found.items()) if x is not None]
        points = [point for point in points if point[1] is not None]
        if not points:
            continue
        counts = threads[kernel, name, device]
        parts = [f"{kernel}: {name}" if several else name, device_name(device), f"{count}T" if len(counts) > 1 else ""]
        fewest_threads = len(counts) > 1 and count == min(counts)
        line = Line(" · ".join(filter(None, parts)), looks[name], *map(list, zip(*points, strict=True)), fewest_threads)
        lines.append(CaseLine(name, line, max(case.record.size for at_x in found.values() for case in at_x)))
    return highest_first(lines)


def highest_first(lines):
    return sorted(lines, key=lambda found: found.line.y[-1], reverse=True)


def time_of_fastest(kind, parts=1):
    """A function from cases to (seconds, low and high end of their interval) of the fastest, for a kind of time: of one
    of `parts` equal parts."""

    def value_of(cases):
        value = fastest(cases, kind)
        return tuple(seconds and seconds / parts for seconds in (value.seconds, *value.interval))

    return value_of


def not_drawn(entry, results, lines):
    """Implementations that were planned, or have no environment, and have no line, with the reason."""
    names = dict.fromkeys(case.record.implementation for case in results.cases if not case.ok)
    drawn = {found.implementation for found in lines}
    return by_reason(
        (name, fastest(results.matching(name)).reason) for name in names if name not in drawn and entry.draws(name)
    ) + left_out(entry, results)


def left_out(entry, results):
    """What the figure would show and no environment was named for, with what helps."""
    return by_reason((name, why) for name, why in results.left_out.items() if entry.draws(name))


def why_none(entry, results):
    """Why nothing of a figure has a line."""
    cases = [case for case in results.cases if entry.draws(case.record.implementation)]
    return fastest([case for case in cases if not case.ok]).reason if cases else NOTHING
