"""Choices as plain data for a page: what its script applies the rules of `answer` to.

Every text that many share stands once in "strings"; a time is a list in the order of Timed's or Reported's fields,
with nanoseconds for seconds.
"""

import re

from accelbench.analysis import Analysis
from accelbench.decide import words
from accelbench.decide.answer import Answer, Ranked
from accelbench.decide.choices import FLAGS, KINDS, SHADE, TONES, Candidate, Choices, Reported, Timed, rounded
from accelbench.decide.portfolio import Portfolio
from accelbench.figures import style
from accelbench.pages import source

# Of a command that compiles: what decides how fast its result is.
OPTION = re.compile(r"(?<= )-(?:O|f(?!PIC|atbin|visibility|no-diagnostics)|march|std|D|cl-|gencode)\S+")


class Strings:
    """Texts by their place."""

    def __init__(self):
        self._places = {}

    def place(self, text):
        return self._places.setdefault(text, len(self._places))

    @property
    def found(self):
        return list(self._places)


def data(choices: Choices, analysis: Analysis, annotations: dict) -> dict:
    """{"places": ..., "families": [...], "implementations": ..., "strings": [...]} and what else the script reads.

    annotations  {(kernel, implementation, place in its build): link to a page that Cython wrote}
    """
    strings = Strings()
    families = [
        {
            "kernel": own.family.kernel,
            "dtype": own.family.dtype,
            "options": own.family.options,
            "title": own.family.title,
            "problems": [
                {
                    "size": problem.size,
                    "candidates": [_candidate(each, strings) for each in problem.candidates],
                    "missing": [
                        [[strings.place(name) for name in one.who], one.cases,
                         *map(strings.place, (one.outcome, one.reason, one.remedy))]
                        for one in problem.missing
                    ],
                    "fastest": _by_place({place: _reported(best) for place, best in problem.fastest.items()}),
                    "on_gpu": _by_place({place: _reported(best) for place, best in problem.on_gpu.items()}),
                }
                for problem in own.problems
            ],
        }
        for own in choices.families
    ]  # fmt: skip
    return {
        "machine": choices.machine,
        "places": choices.places,
        "packages": choices.packages,
        "flags": FLAGS,
        "tones": [TONES[0], len(TONES) // 2, SHADE],
        "families": families,
        "sources": _sources(analysis, strings, annotations),
        "strings": strings.found,
    }


def _by_place(times):
    """Times in the order of KINDS; None where there is none, the number of an earlier place where it is the same."""
    own = [times.get(place) for place in KINDS]
    return [None if one is None else own.index(one) if own.index(one) < n else one for n, one in enumerate(own)]


def _candidate(candidate: Candidate, strings):
    times = _by_place({place: _timed(timed, strings) for place, timed in candidate.timed.items()})
    return [
        *map(strings.place, (candidate.name, candidate.backend, candidate.device, candidate.place)),
        candidate.gpu + 2 * candidate.baseline, candidate.lines, candidate.startup_s, times,
    ]  # fmt: skip


def _reported(best: Reported):
    return [*map(_nanoseconds, (best.seconds, best.low, best.high)), best.speedup]


def _timed(timed: Timed, strings):
    return [
        *map(_nanoseconds, (timed.seconds, timed.low, timed.high)), timed.standing, timed.sure, timed.flags,
        timed.repetitions, timed.speedup, timed.of_peak, *timed.following, strings.place(timed.parameters),
        strings.place(timed.clocks), timed.strip,
    ]  # fmt: skip


def _nanoseconds(seconds):
    """A whole number where it is one: most times are, and so the shortest that can be written."""
    if seconds is None:
        return None
    found = rounded(seconds * 1e9)
    return int(found) if found.is_integer() else found


def _sources(analysis, strings, annotations):
    """{kernel: {implementation: [title, [(file, what of it a slide shows)], what compiled it]}} of what has a time; a
    fourth is where Cython's page of it lies in build/<kernel>/."""
    found = {}
    pages = {(kernel, name): link.split("/", 2)[-1] for (kernel, name, _), link in annotations.items()}
    for kernel, metadata in analysis.kernels.items():
        own = (case.record for case in analysis.cases if case.ok and case.record.kernel == kernel)
        timed = {name for record in own for name in (record.implementation, record.implementation.partition("@")[0])}
        found[kernel] = {
            name: [
                strings.place(about.title),
                [[strings.place(file.name), strings.place(source.excerpt(file))] for file in about.files],
                strings.place(compiled(about)),
                *filter(None, [pages.get((kernel, name))]),
            ]
            for name, about in metadata.implementations.items()
            if name in timed
        }
    return found


def compiled(about) -> str:
    """Its compilers, each with the options it was given; "" for what none compiled before it ran."""
    built = {}
    for artifact in about.build:
        compiler = "its device's driver" if artifact.device else artifact.compiler.split(", ")[0]
        if artifact.outcome == "ok":
            built[" ".join([compiler, *dict.fromkeys(OPTION.findall(artifact.command or ""))])] = None
    return "; ".join(built)


def told(answer: Answer) -> dict:
    """An Answer as the script gives it: what the test compares."""
    return {
        "sentences": answer.sentences,
        "ranking": [_choice(choice) for choice in answer.ranking],
        "leaders": [choice.name for choice in answer.leaders],
        "numpy": answer.numpy and answer.numpy.name,
        "least": answer.least and answer.least.name,
        "front": words.front(answer.front),
        "soonest": answer.soonest and answer.soonest.name,
        "gpu_pays": words.bracket(answer.gpu_pays, "The GPU"),
        "numpy_beaten": words.bracket(answer.numpy_beaten, "Leaving NumPy"),
        "missing": [[list(one.who), one.cases, one.outcome, one.reason, one.remedy] for one in answer.missing],
        "portfolios": [_portfolio(one) for one in answer.portfolios],
    }


def _portfolio(one: Portfolio):
    fastest = [[each.kernel, each.name] for each in one.fastest]
    return [list(one.backends), words.percent(one.share), one.lines, words.needs(one), fastest]


def _choice(choice: Ranked):
    timed = choice.timed
    return [
        choice.name, style.seconds(choice.seconds), style.interval(timed.low, timed.high, style.seconds),
        style.ratio(choice.speedup), style.seconds(choice.all_s), style.seconds(choice.loss_s), timed.standing,
        timed.sure, timed.flags, "–" if timed.of_peak is None else words.percent(timed.of_peak),
    ]  # fmt: skip
