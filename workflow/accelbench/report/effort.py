"""What more code pays: lines of code against the time of a call, drawn for each kernel's usual state; the page's script
(report/static/effort.js) draws the same for every other."""

from markupsafe import Markup, escape

from accelbench.decide import words
from accelbench.decide.answer import Answer
from accelbench.figures import canvas, style
from accelbench.report.decide_page import apart, logarithmic, ticks

WIDTH, HEIGHT, LEFT, LEAST_RIGHT, TOP, BOTTOM = 560, 250, 64, 150, 12, 42
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
    right = WIDTH - max(LEAST_RIGHT, 27 + LETTER * max(len(choice.name) for choice in answer.front))
    most = max(choice.candidate.lines for choice in choices)
    up = logarithmic(values, HEIGHT - BOTTOM, TOP + BOTTOM - HEIGHT)

    def across(lines):
        return LEFT + (right - LEFT) * lines / most

    parts = [*_axes(values, most, across=across, up=up, right=right), *_dots(answer, choices, across, up)]
    places = [(across(choice.candidate.lines), up(choice.seconds)) for choice in answer.front]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline class="front" points="{line}"/>')
    named = {choice.name: y for choice, (_, y) in zip(answer.front, places, strict=True)}
    ends = apart(named, most=HEIGHT - BOTTOM + 6, line=LINE)
    for choice, (x, y) in zip(answer.front, places, strict=True):
        fill, end = style.css_color(choice.candidate.backend), ends[choice.name]
        parts.append(
            f'<path d="M{x:.1f},{y:.1f}{DIAMOND}" fill="{fill}"/><path class="lead" d="M{x + 8:.1f},{y:.1f}L'
            f'{right + 20:.1f},{end:.1f}"/><text class="end" x="{right + 24:.1f}" y="{end + 5:.1f}">'
            f"{escape(choice.name)}</text>"
        )
    told = escape(words.front(answer.front))
    label = f"Lines of code against the time of a call, that logarithmic. {told}"
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    return Markup(f'<div class="against effort">{svg}</div><p class="note" aria-hidden="true">{told}</p>')


def _axes(values, most, *, across, up, right):
    for value in ticks(values):
        y = f"{up(value):.1f}"
        yield f'<line class="grid" x1="{LEFT}" x2="{right:.1f}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 6}" y="{up(value) + 5:.1f}" text-anchor="end">{canvas.short_seconds(value)}</text>'
    step = next((step for step in STEPS if most / step <= 5), STEPS[-1])
    for lines in canvas.legible(range(0, most + 1, step), across, lambda lines: LETTER * len(str(lines))):
        yield f'<text x="{across(lines):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{lines}</text>'
    yield f'<text x="{(LEFT + right) / 2:.1f}" y="{HEIGHT - 4}" text-anchor="middle">lines of code</text>'


def _dots(answer, choices, across, up):
    """A path of dots for each backend."""
    places = {}
    for choice in choices:
        if not any(choice is other for other in answer.front):
            dot = f"M{across(choice.candidate.lines):.1f},{up(choice.seconds):.1f}h0"
            places.setdefault(style.css_color(choice.candidate.backend), []).append(dot)
    for colour, dots in places.items():
        yield f'<path class="dots" stroke="{colour}" d="{"".join(dots)}"/>'
