"""The slide of a state of the page where one decides: the answer, times against size, the source of what is chosen."""

import re
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qsl, unquote

from accelbench import decide
from accelbench.analysis import Analysis
from accelbench.decide.answer import CALLS, State, rank, usual
from accelbench.decide.choices import IMPLAUSIBLE, KEPT, about_of
from accelbench.decide.words import named
from accelbench.errors import InputError
from accelbench.figures import style
from accelbench.figures.answer_lines import AnswerLines
from accelbench.figures.lines import Line
from accelbench.slides.figures import footer
from accelbench.slides.layout import Slide
from accelbench.store.load import load_results

STATE = "--state"
ROWS = ("numpy", "backends", "all")  # NumPy and the fastest, the best of each backend, all
MOST_LINES, MOST_LEADERS = 12, 3
WHOLE = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True)
class StateLink:
    """The parts of a state as a link tells them, "" where it does not."""

    kernel: str = ""
    dtype: str = ""
    options: str = ""
    size: str = ""
    place: str = ""
    calls: str = ""
    rows: str = ""
    row: str = ""
    learn: str = ""


@dataclass(frozen=True)
class PageState:
    """A State with what else the page's link holds: which of ROWS its table shows, and which row is chosen, "" for the
    best."""

    asked: State
    rows: str = "backends"
    row: str = ""


def slide(home, link) -> Slide:
    """The Slide of what a machine's page shows in the state of a link; InputError says what of it cannot be shown."""
    _check_machine(Path(home), link)
    analysis = Analysis(load_results(Path(home)))
    choices = decide.gather(analysis)
    state = read(link, choices)
    found = decide.answer(choices, state.asked)
    if not found.ranking:
        raise InputError(STATE, "nothing has a time there", "Choose another size or place of the data on the page")
    chosen = next((c for c in found.ranking if c.name == state.row), found.best or found.ranking[0])
    asked, about = state.asked, analysis.kernels[state.asked.kernel]
    family = choices.of(asked.kernel, asked.dtype, asked.options).family
    calls = f", {style.count(asked.calls)} calls" if asked.place == KEPT else ""
    name = chosen.candidate.name
    source = about_of(analysis, asked.kernel, name)
    return Slide(
        name=_name(state),
        title=f"{asked.kernel}, {style.size(asked.size)}, {family.title}: data {choices.places[asked.place]}{calls}",
        chart=_chart(choices, found, chosen, rows=state.rows, x_label=about.size),
        footer=footer(analysis.machine, [run for _, run in analysis.results.runs]),
        texts=tuple((file.name, file.text) for file in source.files) if source else (),
        said=tuple(found.sentences),
    )


def _check_machine(home, link):
    """InputError where a link leads to the page of another machine beside this one."""
    other = PurePosixPath(unquote(link.partition("#")[0])).parent.name
    if other not in ("", home.name) and (home.with_name(other) / "machine.json").exists():
        raise InputError(
            STATE, f"is a link to the page of {other}", f"Say --machine {other}, or copy {home.name}'s link"
        )


def read(link, choices) -> PageState:
    """The state that a link to the page holds, or what follows its #, by the page's own rules: what it leaves out is as
    on the page that is opened without. What is not there is an InputError, where the page takes what it has instead."""
    told = _parts(link)
    if not choices.families:
        raise InputError(STATE, f"nothing was timed on {choices.machine}", "Measure first: make report")
    kernels = list(dict.fromkeys(own.family.kernel for own in choices.families))
    kernel = _one_of("kernel", told.kernel or kernels[0], kernels)
    own = _family(told, [each for each in choices.families if each.family.kernel == kernel])
    sizes = {str(problem.size): problem.size for problem in own.problems}
    size = sizes[_one_of("size", told.size or str(usual(own).size), sizes)]
    place = _one_of("place", told.place or next(iter(choices.places)), choices.places)
    calls = told.calls or str(CALLS)
    if not WHOLE.fullmatch(calls) or int(calls) < 1:
        raise InputError(STATE, f"calls: {calls!r} is no number of calls", "Write a whole number from 1 on")
    rows = _one_of("rows", told.rows or PageState.rows, ROWS)
    learn = tuple(name for name in kernels if name in told.learn.split())
    asked = State(kernel, own.family.dtype, own.family.options, size, place, int(calls), learn)
    return PageState(asked, rows, _row(told.row, choices, kernel))


def _parts(link):
    """The StateLink of a link, or of what follows its #; of what it tells twice the first, as the page takes it."""
    page, _, fragment = link.strip().partition("#")
    text = fragment or page.partition("?")[2] or ("" if page.endswith((".html", "/")) else page)
    told = dict(reversed(parse_qsl(text, keep_blank_values=True)))
    known = [part.name for part in fields(StateLink)]
    if unknown := [part for part in told if part not in known]:
        remedy = f"Copy the link “Permalink” of the machine's page, which tells {', '.join(known)}"
        raise InputError(STATE, f"{unknown[-1]!r} is no part of a state", remedy)
    return StateLink(**told)


def _one_of(part, value, known):
    if value not in known:
        raise InputError(STATE, f"{part}: {value!r} was not measured here", f"One of {', '.join(map(str, known))}")
    return value


def _family(told, families):
    """The kernel's family with a dtype and options; its first where a link does not tell them."""
    first, *_ = families
    dtype, options = told.dtype or first.family.dtype, told.options
    exact = [own for own in families if (own.family.dtype, own.family.options) == (dtype, options)]
    if not exact and (dtype != first.family.dtype or options):
        known = [" ".join(filter(None, [own.family.dtype, own.family.options])) for own in families]
        problem = f"dtype {dtype!r} with options {options!r} was not measured here"
        raise InputError(STATE, problem, f"One of {', '.join(known)}")
    return exact[0] if exact else first


def _row(name, choices, kernel):
    """A row's name; on the page it may have no time in this state, as after another size was asked about."""
    families = (own for own in choices.families if own.family.kernel == kernel)
    known = {named(candidate) for own in families for problem in own.problems for candidate in problem.candidates}
    if name and name not in known:
        raise InputError(STATE, f"row: {name!r} is no implementation of {kernel} with a time", "Leave it out")
    return name


def _name(state):
    """Of the slide's files; what is as on the page that is opened anew is left out."""
    asked = state.asked
    parts = [asked.kernel, asked.dtype, style.slug(asked.options), asked.size, asked.place]
    parts += [asked.calls] if asked.calls != CALLS else []
    parts += [state.rows] if state.rows != PageState.rows else []
    return "-".join(str(part) for part in (*parts, style.slug(state.row)) if part)


def _chart(choices, found, chosen, *, rows, x_label):
    """The lines of the page's chart, those of the table's rows, each with its time at the size that is asked about."""
    asked = found.state
    problems = choices.of(asked.kernel, asked.dtype, asked.options).problems
    ranked = [(max(1, each.size), rank(each, asked.place, asked.calls)) for each in problems]
    wanted = (chosen, found.numpy, *found.leaders[:2], *_rows(found, rows))
    drawn = list({choice.name: choice for choice in wanted if choice}.values())[:MOST_LINES]
    looks = style.looks_in_turn({choice.name: choice.candidate.backend for choice in drawn})
    labels = _labels(drawn, found.ranking)
    lines = [_line(labels[name], looks[name], _points(ranked, name)) for name in labels]
    best = [
        (size, next((c.seconds for c in ranking if c.timed.standing != IMPLAUSIBLE), None)) for size, ranking in ranked
    ]
    brackets = ((found.gpu_pays, "GPU pays"), (found.numpy_beaten, "NumPy beaten"))
    return AnswerLines(
        sorted(lines, key=lambda line: line.y[-1], reverse=True),
        x_label,
        at=max(1, asked.size),
        chosen=labels[chosen.name],
        best=tuple((size, seconds) for size, seconds in best if seconds),
        brackets=tuple((who, one.below, one.at) for one, who in brackets if one.crossover == "from"),
    )


def _rows(found, rows):
    """Which of the ranking the page's table shows, but for NumPy and what is chosen, which it always does."""
    if rows == "all":
        return found.ranking
    if rows == "numpy":
        return found.leaders[:MOST_LEADERS]
    firsts = {}
    for choice in found.ranking:
        firsts.setdefault(choice.candidate.backend, choice)
    return firsts.values()


def _labels(drawn, ranking):
    """{name: implementation and time}, with its device where it ran on several."""
    names = [choice.candidate.name for choice in ranking]
    short = {choice.name: choice.candidate.name for choice in drawn if names.count(choice.candidate.name) == 1}
    return {choice.name: f"{short.get(choice.name, choice.name)} {style.seconds(choice.seconds)}" for choice in drawn}


def _points(ranked, name):
    return [(size, choice) for size, ranking in ranked for choice in ranking if choice.name == name]


def _line(label, look, points):
    return Line(
        label,
        look,
        [size for size, _ in points],
        [choice.seconds for _, choice in points],
        [choice.timed.low or choice.seconds for _, choice in points],
        [choice.timed.high or choice.seconds for _, choice in points],
        implausible=[choice.timed.standing == IMPLAUSIBLE for _, choice in points],
    )
