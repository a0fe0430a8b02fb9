"""What more code pays: lines of code against the time of a call, drawn for each kernel's usual state; the page's script
(report/static/effort.js) draws the same for every other."""

import math

from markupsafe import Markup, escape

from accelbench.decide import words
from accelbench.decide.answer import Answer
from accelbench.figures import canvas, style
from accelbench.report.decide_page import apart, logarithmic, ticks

WIDTH, HEIGHT, LEFT, LEAST_RIGHT, TOP, BOTTOM = 560, 250, 64, 165, 12, 42
LINE, LETTER = 16, 8.5  # of its text, as wide as fonts come
DIAMOND = "m0-6l6,6l-6,6l-6-6z"
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # between ticks of lines


def effort_chart(answer: Answer) -> Markup:
    """A dot for each of the ranking whose lines are known, diamonds joined and named for those that no other beats in
    both; the same in words under it. Nothing where there is no front."""
    if not answer.front:
        return Markup()
    choices = [choice for choice in answer.ranking if choice.candidate.lines]
    values = [choice.seconds for choice in choices]
    right = _whole(WIDTH - max(LEAST_RIGHT, 27 + LETTER * max(len(choice.name) for choice in answer.front)))
    most = max(choice.candidate.lines for choice in choices)
    up = logarithmic(values, HEIGHT - BOTTOM, TOP + BOTTOM - HEIGHT)

    def across(lines):
        return LEFT + (right - LEFT) * lines / most

    def spot(choice):
        return f"{_whole(across(choice.candidate.lines))},{_whole(up(choice.seconds))}"

    drawn = [*_axes(values, most, across=across, up=up, right=right), *_dots(answer, choices, spot)]
    ends = apart({choice.name: up(choice.seconds) for choice in answer.front}, most=HEIGHT - BOTTOM + 6, line=LINE)
    ends = {name: _whole(end) for name, end in ends.items()}
    drawn.append(f'<polyline class="front" points="{" ".join(map(spot, answer.front))}"/>')
    leads = (f"M{spot(choice)}L{right + 20},{ends[choice.name]}" for choice in answer.front)
    drawn.append(f'<path class="lead" d="{"".join(leads)}"/>')
    for choice in answer.front:
        fill, end = style.css_color(choice.candidate.backend), ends[choice.name] + 5
        drawn.append(f'<path d="M{spot(choice)}{DIAMOND}" fill="{fill}"/>')
        drawn.append(f'<text class="end" x="{right + 24}" y="{end}">{escape(choice.name)}</text>')
    name, told = f"effort-{style.slug(answer.state.kernel)}", escape(words.front(answer.front))
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{name}">{"".join(drawn)}</svg>'
    return Markup(f'<div class="against effort">{svg}</div><p class="note" id="{name}" aria-hidden="true">{told}</p>')


def _whole(value):
    return math.floor(value + 0.5)


def _axes(values, most, *, across, up, right):
    for value in ticks(values):
        y = _whole(up(value))
        yield f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 5}" text-anchor="end">{canvas.short_seconds(value)}</text>'
    step = next((step for step in STEPS if most / step <= 5), STEPS[-1])
    for lines in canvas.legible(range(0, most + 1, step), across, lambda lines: LETTER * len(str(lines))):
        yield f'<text x="{_whole(across(lines))}" y="{HEIGHT - 22}" text-anchor="middle">{lines}</text>'
    yield f'<text x="{(LEFT + right) // 2}" y="{HEIGHT - 4}" text-anchor="middle">lines of code</text>'


def _dots(answer, choices, spot):
    """A path of dots for each backend."""
    places = {}
    for choice in choices:
        if not any(choice is other for other in answer.front):
            places.setdefault(style.css_color(choice.candidate.backend), []).append(f"M{spot(choice)}h0")
    for colour, dots in places.items():
        yield f'<path class="dots" stroke="{colour}" d="{"".join(dots)}"/>'
