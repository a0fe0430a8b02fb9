"""The page where one decides: each kernel's usual answer, written here, and the data of all others for its script."""

import json
import math
import re
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from accelbench.analysis.choosing import Best
from accelbench.decide import Answer, Answers, facts, words
from accelbench.decide.answer import shown
from accelbench.figures import style
from accelbench.report import commands, embed

# Text, what numbers can do without, and zeros that an exponent can stand for.
LONG = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=e-)0(?=\d)|(?<=\d)\.0(?=[,\]}])|(?<=[1-9])(?<!\.)0{3,}(?=[,\]}])')


@dataclass(frozen=True)
class UsualState:
    """A kernel's usual Answer, as it stands on the page without a script, and on paper."""

    answer: Answer

    @cached_property
    def rows(self) -> list[Best]:
        """NumPy and the first of each backend."""
        firsts = {}
        for best in self.answer.ranking:
            firsts.setdefault(best.case.record.backend, best)
        return [best for best in self.answer.ranking if best in (*firsts.values(), self.answer.numpy)]

    def cells(self, best: Best) -> list[tuple[str, str]]:
        """(head, text) of a row's columns of numbers."""
        answer, case = self.answer, facts.at_hand(self.answer.analysis, best).case
        startup = answer.total_s(best) is not None and answer.total_s(best) - answer.calls * shown(best.seconds)
        in_cache = "in cache" if case.record.cache_resident else "–"
        return [
            ("time", f"{style.seconds(best.seconds)} {facts.standing(answer, best)}".strip()),
            ("vs NumPy", style.ratio(words.speedup(answer, best))),
            ("lines", str(case.record.source_lines or "–")),
            ("start-up", style.seconds(startup or None)),
            ("all calls", style.seconds(answer.total_s(best))),
            ("of peak", in_cache if case.fraction_of_peak is None else words.percent(shown(case.fraction_of_peak))),
        ]

    def place(self, best: Best) -> str:
        """Where its dot stands, in percent of the width, on the logarithmic scale of all rows."""
        low, high = (math.log(end(best.seconds for best in self.rows)) for end in (min, max))
        return f"{2 + 96 * (math.log(best.seconds) - low) / ((high - low) or 1):.1f}%"

    @property
    def interval(self) -> str:
        """The 95 % interval of the first row's time."""
        ends = self.answer.best and self.answer.best.interval
        return f"95\N{NO-BREAK SPACE}% interval {style.interval(*ends, style.seconds)}" if ends else ""

    @property
    def learning(self) -> list[list[str]]:
        """The backends of each portfolio, what they keep, and what they ask for."""
        told = embed.learning(self.answer.answers, self.answer.place, self.answer.calls)
        return [each.split("|") for each in told]

    @property
    def decides(self) -> str:
        """The command that decides what is open; "" where nothing is."""
        asked = words.to_decide(self.answer)
        return asked and commands.run(self.answer.analysis, self.answer.family.kernel, asked)

    @property
    def brackets(self) -> list[tuple[str, str]]:
        """From which size on something pays, and the command that measures it better; "" where none would."""
        analysis, kernel = self.answer.analysis, self.answer.family.kernel
        return [
            (sentence, commands.run(analysis, kernel, f"--size {found.between}") if found.between else "")
            for found, sentence in words.brackets(self.answer)
        ]

    def manner(self, best: Best) -> str:
        return facts.manner(facts.at_hand(self.answer.analysis, best).case.record)

    def name(self, best: Best) -> str:
        return words.named(self.answer, best)


def usual_states(answers: Answers) -> list[UsualState]:
    """The usual state of the first family of each kernel."""
    firsts = {}
    for family in answers.sizes:
        firsts.setdefault(family.kernel, family)
    return [UsualState(answers.usual(family)) for family in firsts.values()]


def data(answers: Answers, *, citation, annotations) -> Markup:
    """What the script reads, in a form that nothing in a <script> element can end or change."""
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
    """JSON with its numbers as short as they go: 1.5e-7 for 1.5e-07, 2 for 2.0, 48e4 for 480000."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    text = LONG.sub(_shortened, text)
    return Markup(text.replace("<", "\\u003c"))


def _shortened(found):
    text = found[0]
    return text if text[0] == '"' else f"e{len(text)}" if text.startswith("00") else ""
