"""Content of index.html: the usual answer of each kernel for HTML, and the data of all answers for the script."""

import json
import math
import re
from functools import partial
from types import SimpleNamespace

from markupsafe import Markup

from accelbench.decide import Answer, Answers, words
from accelbench.decide.answer import shown
from accelbench.figures import style
from accelbench.report import commands, embed

# Pattern of strings, superfluous digits of numbers (e-07, 2.0), and trailing zeros that an exponent can replace.
# Strings are matched so that `script` leaves them unchanged.
LONG = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=e-)0(?=\d)|(?<=\d)\.0(?=[,\]}])|(?<=[1-9])(?<!\.)0{3,}(?=[,\]}])')


def state(answer: Answer) -> SimpleNamespace:
    """Return the content of a kernel's usual Answer, for print and for browsers without scripts.

    The usual Answer is the Answer at the usual size, the default place of the data and the usual number of calls.

    rows       Bests of the rows: NumPy and the best of each backend
    cells      function from a row to the texts of its columns of numbers
    place      function from a row to the position of its dot on a common logarithmic scale, in percent of the width
    name       function from a row to the name of its implementation
    manner     function from a row to its algorithm, math mode and threads
    interval   95 % interval of the best time, as text
    learning   for each portfolio (set of backends): backends, share of the best speed, lines of code and packages
    decides    command that is expected to decide an open answer; "" if there is none
    brackets   pairs (sentence on the size from which a choice pays, command that narrows the range of this size or "")
    """
    analysis, kernel, firsts = answer.analysis, answer.family.kernel, {}
    for best in answer.ranking:
        firsts.setdefault(best.case.record.backend, best)
    rows = [best for best in answer.ranking if best in (*firsts.values(), answer.numpy)]
    low, high = (math.log(end((best.seconds for best in rows), default=1.0)) for end in (min, max))
    ends, asked = answer.best and answer.best.interval, words.to_decide(answer)
    brackets = [
        (sentence, commands.run(analysis, kernel, f"--size {bracket.between}") if bracket.between else "")
        for bracket, sentence in words.brackets(answer)
    ]
    return SimpleNamespace(
        answer=answer,
        rows=rows,
        cells=partial(_cells, answer),
        place=lambda best: f"{2 + 96 * (math.log(best.seconds) - low) / ((high - low) or 1):.1f}%",
        name=partial(words.named, answer),
        manner=lambda best: words.manner(words.at_hand(analysis, best).case.record),
        interval=f"95\N{NO-BREAK SPACE}% interval {style.interval(*ends, style.seconds)}" if ends else "",
        learning=[line.split("|") for line in embed.learning(answer.answers, answer.place, answer.calls)],
        decides=asked and commands.run(analysis, kernel, asked),
        brackets=brackets,
    )


def _cells(answer, best):
    case = words.at_hand(answer.analysis, best).case
    startup = answer.total_s(best) is not None and answer.total_s(best) - answer.calls * shown(best.seconds)
    in_cache = "in cache" if case.record.cache_resident else "–"
    return [
        f"{style.seconds(best.seconds)} {words.standing(answer, best)}".strip(),
        style.ratio(words.speedup(answer, best)),
        str(case.record.source_lines or "–"),
        style.seconds(startup or None),
        style.seconds(answer.total_s(best)),
        in_cache if case.fraction_of_peak is None else words.percent(shown(case.fraction_of_peak)),
    ]


def usual_states(answers: Answers) -> list[SimpleNamespace]:
    """Return the `state` of the usual Answer for each kernel's first family (dtype and options)."""
    firsts = {}
    for family in answers.sizes:
        firsts.setdefault(family.kernel, family)
    return [state(answers.usual(family)) for family in firsts.values()]


def data(answers: Answers, *, citation, annotations) -> Markup:
    """Return the data of the page's script as JSON that is safe within a <script> element."""
    analysis = answers.analysis
    backends = {case.record.backend for cases in analysis.problems.values() for case in cases}
    kernels = {
        name: {"title": about.title, "size": about.size, "option": commands.option(analysis, name)}
        for name, about in analysis.kernels.items()
    }
    content = embed.data(answers, lambda *asked: commands.run(analysis, *asked), annotations) | {
        "colours": {backend: style.css_color(backend) for backend in sorted(backends)},
        "kernels": kernels,
        "citation": citation,
    }
    return script(content)


def script(value) -> Markup:
    """Return `value` as JSON with short numbers: 1.5e-7 for 1.5e-07, 2 for 2.0, 48e4 for 480000."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    text = LONG.sub(lambda m: m[0] if m[0][0] == '"' else f"e{len(m[0])}" if m[0].startswith("00") else "", text)
    return Markup(text.replace("<", "\\u003c"))
