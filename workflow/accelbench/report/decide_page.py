"""The page where one decides: each kernel's usual state, drawn here, and the data that its script draws all others
from."""

import json
import math
import re
from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup

from accelbench import decide
from accelbench.analysis import Analysis
from accelbench.decide import embed, words
from accelbench.decide.answer import Answer, Ranked, rank
from accelbench.decide.choices import FLAGS, IMPLAUSIBLE, PAGE_LOCKED, PAGEABLE, UNSURE_BEYOND, Choices
from accelbench.figures import canvas, style
from accelbench.figures.lines import REACH
from accelbench.report import commands

OTHER = {PAGE_LOCKED: PAGEABLE, PAGEABLE: PAGE_LOCKED}
MARKS = {3: "●●●", 2: "●●○", 1: "●○○"}
SURE = {3: "sure", 2: "fairly sure", 1: "not sure"}
MOST_LINES = 12
WIDTH, HEIGHT, LEFT, LEAST_RIGHT, TOP, BOTTOM = 670, 300, 58, 220, 12, 34  # of the chart against size
LINE, LETTER, BOLD = 13, 6.7, 7.4  # of its text, as wide as fonts come
# Lines are told apart without colours, too: the n-th has a shape and dashes that its neighbours have not.
SHAPES = ("m-3,0a3,3 0 1,0 6,0a3,3 0 1,0-6,0z", "m-3-3h6v6h-6z", "m-3.5,3h7l-3.5-6.5z", "m0-4l4,4l-4,4l-4-4z")
DASHES = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"')

LONG = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=e-)0(?=\d)|(?<=\d)\.0(?=[,\]}])')  # text, and what numbers can do without


@dataclass(frozen=True)
class UsualState:
    """A kernel's usual Answer, as it stands on the page without a script, and on paper."""

    title: str
    size_words: str
    place_words: str
    family: object
    answer: Answer
    choices: Choices
    analysis: Analysis

    @cached_property
    def rows(self) -> list[Ranked]:
        """NumPy and the best of each backend."""
        seen, found = set(), []
        for choice in self.answer.ranking:
            if choice is self.answer.numpy or choice.candidate.backend not in seen:
                found.append(choice)
            seen.add(choice.candidate.backend)
        return found

    @property
    def has_peaks(self) -> bool:
        """Whether it is known of any row how near it comes to what the machine can do."""
        return any(choice.timed.of_peak is not None for choice in self.rows)

    @cached_property
    def by_size(self) -> list[tuple[int, list[Ranked]]]:
        """The ranking of each size that has one."""
        state = self.answer.state
        problems = self.choices.of(state.kernel, state.dtype, state.options).problems
        ranked = [(problem.size, rank(problem, state.place, state.calls)) for problem in problems]
        return [(size, ranking) for size, ranking in ranked if ranking]

    def other(self, choice: Ranked):
        """What it takes by way of the other kind of host memory."""
        timed = choice.candidate.timed.get(OTHER.get(self.answer.state.place, ""))
        return timed.seconds if timed and choice.candidate.gpu else None

    @cached_property
    def scale(self):
        """A function from seconds to percent of a row's width; intervals end soon beyond all times, as in figures."""
        times = [*(c.seconds for c in self.rows), *filter(None, map(self.other, self.rows))]
        times += [self.answer.numpy.seconds] if self.answer.numpy else []
        lowest, highest = min(times) / REACH, max(times) * REACH
        ends = [end for c in self.rows for end in (c.timed.low, c.timed.high) if end]
        place = logarithmic([*times, *(min(max(end, lowest), highest) for end in ends)], 4, 92)
        return lambda seconds: place(min(max(seconds, lowest), highest))

    def bar(self, choice: Ranked) -> Markup:
        """Where its time lies, as a small picture: a dot in its interval, a ring for the other kind of memory."""
        fill, x, other = style.css_color(choice.candidate.backend), self.scale, self.other(choice)
        parts = []
        if self.answer.numpy:
            at = x(self.answer.numpy.seconds)
            parts.append(f'<line x1="{at:.1f}%" x2="{at:.1f}%" y2="22" class="numpy-line"/>')
        if other:
            parts.append(f'<line x1="{x(choice.seconds):.1f}%" x2="{x(other):.1f}%" y1="11" y2="11" stroke="{fill}"/>')
            parts.append(f'<circle cx="{x(other):.1f}%" cy="11" r="4" fill="var(--page)" stroke="{fill}"/>')
        if choice.timed.low:
            ends = f'x1="{x(choice.timed.low):.1f}%" x2="{x(choice.timed.high):.1f}%"'
            parts.append(f'<line {ends} y1="11" y2="11" stroke="{fill}" class="interval"/>')
        parts.append(f'<circle cx="{x(choice.seconds):.1f}%" cy="11" r="5" fill="{fill}"/>')
        return Markup(f'<svg class="bar" aria-hidden="true">{"".join(parts)}</svg>')

    @property
    def how_sure(self) -> str:
        """How sure the best's time is, and its interval."""
        best, first = self.answer.best, self.answer.first
        if first.low and first.high / first.low > UNSURE_BEYOND:
            best = replace(best, timed=replace(best.timed, sure=1))
        interval = style.interval(first.low, first.high, style.seconds)
        told = f", 95\N{NO-BREAK SPACE}% interval {interval}" if interval else ""
        return f"{MARKS[best.timed.sure]} {sure(best)}{told}"

    @property
    def learning(self) -> list[tuple[str, str, str]]:
        """The backends of each Portfolio, what they keep, their lines and what must be installed."""
        return [
            (
                " + ".join(one.backends) or "NumPy alone",
                words.percent(one.share),
                ", ".join(filter(None, [words.lines(one.lines), words.needs(one)])),
            )
            for one in self.answer.portfolios
        ]

    @property
    def brackets(self) -> list[tuple[str, str]]:
        """From which size on something pays, and the command that measures it better; "" where none would."""
        told = ((self.answer.gpu_pays, "The GPU"), (self.answer.numpy_beaten, "Leaving NumPy"))
        kernel = self.answer.state.kernel
        return [
            (sentence, commands.run(self.analysis, kernel, f"--size {bracket.between}") if bracket.between else "")
            for bracket, who in told
            if (sentence := words.bracket(bracket, who))
        ]

    @cached_property
    def chart(self) -> Markup:
        return Markup(_chart(self))


def usual_states(choices: Choices, analysis) -> list[UsualState]:
    """Of each kernel that anything was timed of."""
    found = []
    for kernel in dict.fromkeys(own.family.kernel for own in choices.families):
        state = decide.default_state(choices, kernel)
        metadata, own = analysis.kernels[kernel], choices.of(kernel, state.dtype, state.options)
        where = choices.places[state.place]
        answer = decide.answer(choices, state)
        found.append(UsualState(metadata.title, metadata.size, where, own.family, answer, choices, analysis))
    return found


def sure(choice: Ranked) -> str:
    """How sure its time is, in words."""
    timed = choice.timed
    repetitions = f"{timed.repetitions} repetition{'' if timed.repetitions == 1 else 's'}"
    return ", ".join([SURE[timed.sure], repetitions, *_flags(timed)])


def of_peak(choice: Ranked) -> str:
    """How near it comes to what the machine can do, or why that is not known."""
    if choice.timed.of_peak is not None:
        return words.percent(choice.timed.of_peak)
    return "in cache" if "in cache" in _flags(choice.timed) else "–"


def _flags(timed):
    return [flag for bit, flag in enumerate(FLAGS) if timed.flags & (1 << bit)]


def data(choices: Choices, analysis, *, citation, anchors, annotations) -> Markup:
    """What the script reads, in a form that nothing in a <script> element can end or change."""
    backends = {candidate.backend for own in choices.families for p in own.problems for candidate in p.candidates}
    content = embed.data(choices, analysis, annotations) | {
        "colours": {backend: style.css_color(backend) for backend in sorted(backends)},
        "kernels": {name: _kernel(analysis, name) for name in analysis.kernels},
        "citation": citation,
        "anchors": anchors,
    }
    return script(content)


def _kernel(analysis, name):
    about, option = analysis.kernels[name], commands.option(analysis, name)
    return {"title": about.title, "size": about.size} | ({"option": option} if option else {})


def script(value) -> Markup:
    """JSON with its numbers as short as they go: 1.5e-7 for 1.5e-07, 2 for 2.0."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    text = LONG.sub(lambda found: found[0] if found[0][0] == '"' else "", text)
    return Markup(text.replace("<", "\\u003c"))


def logarithmic(values, start, width):
    """A function from values to places: the least is at `start`, the greatest `width` from there."""
    low, high = math.log10(min(values)), math.log10(max(values))
    return lambda value: start + width * (math.log10(value) - low) / ((high - low) or 1)


def ticks(values) -> list[float]:
    """Round values within these: decades, with others between where there are few."""
    low, high = math.log10(min(values)), math.log10(max(values))
    span = high - low
    steps = (1,) if span > 1.5 else (1, 3) if span > 0.7 else (1, 2, 5) if span > 0.4 else range(1, 10)
    powers = range(math.floor(low), math.ceil(high) + 1)
    found = [step * 10.0**power for power in powers for step in steps]
    found = [value for value in found if low - 1e-9 <= math.log10(value) <= high + 1e-9]
    return found[:: math.ceil(len(found) / 6)] if len(found) > 6 else found


def _chart(usual: UsualState) -> str:
    """Time against size, both logarithmic: a line for each of the rows, and for the best of all."""
    ranked = usual.by_size
    names = [choice.name for choice in usual.rows][:MOST_LINES]
    best = [
        (size, next(c for c in ranking if c.timed.standing != IMPLAUSIBLE or c is ranking[-1]))
        for size, ranking in ranked
    ]
    curves = {name: [(size, c) for size, ranking in ranked for c in ranking if c.name == name] for name in names}
    values = [c.seconds for points in (best, *curves.values()) for _, c in points]
    sizes = [max(1, size) for size, _ in ranked]
    right = WIDTH - max(LEAST_RIGHT, 27 + BOLD * max(map(len, names)))
    across = logarithmic(sizes, LEFT, right - LEFT)
    up = logarithmic(values, HEIGHT - BOTTOM, TOP + BOTTOM - HEIGHT)

    def points(several):
        return " ".join(f"{across(max(1, size)):.1f},{up(c.seconds):.1f}" for size, c in several)

    told = ((usual.answer.gpu_pays, "GPU pays"), (usual.answer.numpy_beaten, "NumPy beaten"))
    told = [each for each in told if each[0].crossover == "from"]
    parts = [_bracket(across, *each, top=TOP + 10 + LINE * number) for number, each in enumerate(told)]
    for value in ticks(values):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right:.1f}" y1="{up(value):.1f}" y2="{up(value):.1f}"/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{canvas.short_seconds(value)}</text>'
        )
    for size in canvas.legible(reversed(sizes), across, lambda size: LETTER * len(style.size(size))):
        parts.append(f'<text x="{across(size):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{style.size(size)}</text>')
    parts.append(
        f'<text x="{(LEFT + right) / 2:.1f}" y="{HEIGHT - 2}" text-anchor="middle">'
        f"{Markup.escape(usual.size_words)}</text>"
    )
    parts.append(f'<polyline class="envelope" points="{points(best)}"/>')
    ends = apart(
        {name: up(own[-1][1].seconds) for name, own in curves.items() if own}, most=HEIGHT - BOTTOM + 6, line=LINE
    )
    drawn = {name: own for name, own in curves.items() if own}
    for number, (name, own) in enumerate(drawn.items()):
        places = [(across(max(1, size)), up(c.seconds)) for size, c in own]
        parts.append(_curve(own[0][1], places, right=right, end=ends[name], number=number))
    words_ = "Time of a call against size, both logarithmic; bold: the best of all."
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words_}">{"".join(parts)}</svg>'


def _bracket(across, bracket, who, *, top):
    left, right = across(max(1, bracket.below)), across(bracket.at)
    return (
        f'<rect class="bracket" x="{left:.1f}" y="{TOP}" width="{right - left:.1f}" height="{HEIGHT - TOP - BOTTOM}"/>'
        f'<text x="{(left + right) / 2:.1f}" y="{top}" text-anchor="middle">{who} ⟶</text>'
    )


def _curve(choice, places, *, right, end, number):
    """A line through places, and at its end the name, with the sign of its points."""
    fill, (x, y) = style.css_color(choice.candidate.backend), places[-1]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    signs = "".join(f"M{x:.1f},{y:.1f}{SHAPES[number % 4]}" for x, y in [*places, (right + 20, end)])
    return (
        f'<g stroke="{fill}" fill="{fill}"><polyline points="{points}" fill="none"{DASHES[number % 3]}/>'
        f'<path d="{signs}"/><line x1="{x:.1f}" y1="{y:.1f}" x2="{right + 14:.1f}" y2="{end:.1f}" opacity=".4"'
        f' stroke-dasharray="1 3"/><text class="end" x="{right + 27:.1f}" y="{end + 4:.1f}" stroke="none">'
        f"{Markup.escape(choice.name)}</text></g>"
    )


def apart(places, *, most, line):
    """{name: its place}, moved down, and from `most` up again, until labels of lines so high do not touch."""
    ordered = sorted(places, key=lambda name: places[name])
    found, last = {}, TOP + 4 - line
    for name in ordered:
        last = found[name] = max(places[name], last + line)
    for name in reversed(ordered):
        found[name] = min(found[name], most)
        most -= line
    return found
