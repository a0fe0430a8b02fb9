"""Model of config/figures.yaml, which declares the lectures' figures and tables.

The descriptions of the model's fields document the keys of the file.
"""

import fnmatch
import re
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from accelbench import config as configuration
from accelbench import project
from accelbench.config import Section, Sweep
from accelbench.config.reading import explain
from accelbench.config.values import Block, Option, Seconds, Size, Text, Threads, several
from accelbench.errors import InputError
from accelbench.lectures import kinds
from accelbench.model.record import TIMINGS

FIGURES = project.ROOT / "config" / "figures.yaml"
FIGURE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
Time = Literal[(*TIMINGS, "first_call")]


class Part(Sweep):
    """Sweep that a figure needs: measurements of one kernel and its baseline.

    The default sizes are those of the kernel's preset `lecture`. The default dtype is the first dtype of the kernel.
    """

    kernel: Text = Field(description="the kernel that is measured")
    implementations: several(Text) = Field(
        ("*",), description="names or patterns (`cffi_*`); `*@*`: versions of libraries"
    )
    threads: several(Threads) = Field((1, "all"), description="thread counts")
    block_sizes: Literal["usual", "sweep"] | several(
        Block
    ) = Field("usual", description="block sizes; `usual`: 256 or 16x16; `sweep`: those of config/lecture.yaml")
    max_call_s: Seconds | None = Field(None, description="maximum time of a call for this part, in seconds")
    needs: Literal["cpu", "gpu"] = Field("cpu", description="`gpu`: measured only on machines with a GPU")

    @property
    def of_contestants(self):
        """Return whether this part compares contestants, which are versions of libraries."""
        return any("@" in pattern for pattern in self.implementations)


class Recorded(Section):
    """Hardware, software and printed numbers that the lecture states."""

    hardware: Text = Field("not stated", description="the hardware of the lecture")
    software: Text | None = Field(None, description="the versions of software in the lecture")
    says: Text | None = Field(None, description="printed numbers that belong to no single row")


class FigureRow(Section):
    """Row of a figure: the keys that select measured cases, and the number that the lecture printed.

    If several cases match a row of a table, such as several thread counts or block sizes, the table shows the fastest
    case. The figure's parts, not its rows, determine what is measured.
    """

    label: Text = Field(description="name of the row, as in the lecture")
    implementation: Text | None = Field(None, description="a name or pattern; absent if there is no counterpart today")
    kernel: Text | None = Field(None, description="needed if the figure measures several kernels")
    size: Size | None = Field(None, description="needed if several sizes are measured")
    dtype: Text | None = Field(None, description="needed if several dtypes are measured")
    options: dict[str, Option] = Field({}, description="needed if several values are measured")
    threads: Threads | None = Field(None, description="thread count; by default, the fastest")
    device: Literal["cpu", "gpu"] | None = Field(None, description="kind of device; by default, the fastest")
    time: Time | None = Field(None, description="kind of time; by default, the figure's")
    over: Text | None = Field(None, description="label of the ratio's reference row; by default, the figure's `over`")
    recorded_s: Seconds | None = Field(None, description="the printed time, in seconds")
    recorded_ratio: Seconds | None = Field(None, description="the printed ratio")
    unlike: Text | None = Field(
        None, description="why the printed number is not comparable; it is shown, but not compared"
    )


class Claim(Section):
    """A claim that measurements can confirm or refute: `faster` is `least` to `most` times as fast as `than`.

    `faster` and `than` are labels of rows. In a figure without rows, `faster` and `than` are names or patterns of
    implementations. Figures with rows ignore `kernel`, `size` and `dtype` of a claim, because the rows determine the
    problem.
    """

    says: Text = Field(description="the claim in a few words")
    ours: bool = Field(False, description="whether the claim is the author's expectation, not the lecture's")
    faster: Text = Field(description="row or implementation")
    than: Text = Field(description="row or implementation")
    kernel: Text | None = Field(None, description="needed if the figure measures several kernels")
    size: Size | Literal["smallest", "largest"] = Field("largest", description="size at which the claim is judged")
    dtype: Text | None = Field(None, description="by default, all measured dtypes")
    least: Seconds = Field(1.0, description="minimum ratio of a claim that holds")
    most: Seconds | None = Field(None, description="maximum ratio; unlimited by default")
    but: Text | None = Field(None, description="a reservation about the verdict")

    @model_validator(mode="after")
    def _can_hold(self):
        if self.most is not None and self.most < self.least:
            raise ValueError(f"most: {self.most:g} is less than least, {self.least:g}")
        return self


class SlideCode(Section):
    """Lines quoted from the slide, which the page shows beside the source of an implementation."""

    name: Text | None = Field(None, description="name on the slide")
    language: Literal["py", "pyx", "c", "cl", "cu", "txt"] = Field("py", description="language for highlighting")
    text: Annotated[str, Field(min_length=1, max_length=2000)] = Field(description="the lines")


Quotes = Annotated[tuple[SlideCode, ...], BeforeValidator(lambda one: (one,) if isinstance(one, dict) else one)]


class Shown(Section):
    """Implementation whose source code the page shows beside the slide's lines."""

    kernel: Text
    implementation: Text


class Entry(Section):
    """A figure or table: of a lecture, of today's libraries, or your own."""

    id: str = Field(description="name in files and pages: lower-case letters, digits and dashes")
    lecture: Text = Field(
        description="short name of the lecture; `today`: the figure belongs to no lecture; `own`: your own figures"
    )
    slide: Text | None = Field(None, description="title of the slide or section; absent if no lecture has the figure")
    title: Text = Field(description="what the figure shows")
    kind: Literal[kinds.NAMES] | None = Field(
        None, description="how the figure is drawn; by default, by a function in lectures/own/"
    )
    needs: Literal["cpu", "gpu", "two gpus"] = Field("cpu", description="hardware that the complete figure needs")
    measure: tuple[Part, ...] = Field((), description="what is measured for the figure")
    rows: tuple[FigureRow, ...] = Field((), description="the rows, in the lecture's order")
    show: Literal["time", "ratio"] = Field("time", description="what is drawn")
    time: Time = Field("compute", description="the kind of time")
    per: Literal["call", "size"] = Field("call", description="kind ranking: `size` divides times by the size")
    over: Text | None = Field(None, description="reference of ratios: a row's label, or an implementation")
    lines: several(Text) = Field(("*",), description="implementations that are drawn; ignored in figures with rows")
    recorded: Recorded = Recorded()
    claims: tuple[Claim, ...] = Field((), description="claims that measurements can confirm or refute")
    corrected: Text | None = Field(None, description="a mistake of the lecture that is corrected here")
    note: Text | None = Field(None, description="what a reader must know for the comparison")
    slide_code: Quotes = Field(
        (), max_length=2, description="lines of the slide; two quotes need names, and the page marks lines that differ"
    )
    code: tuple[Shown, ...] = Field((), description="sources that the page shows; exactly two for kind code")

    @property
    def headline(self):
        """Return the title as a sentence. Titles may be questions."""
        return self.title if self.title.endswith("?") else f"{self.title}."

    def draws(self, implementation):
        """Return whether the name of an implementation matches one of the patterns in `lines`."""
        return any(fnmatch.fnmatchcase(implementation, pattern) for pattern in self.lines)

    @model_validator(mode="after")
    def _holds_together(self):
        if problem := next(self._problems(), None):
            raise ValueError(problem)
        return self

    def _problems(self):
        labels, kernels = [None, *(row.label for row in self.rows)], [None, *(part.kernel for part in self.measure)]
        wrong = {
            f"id: {self.id!r} is not a valid id: use lower-case letters, digits and dashes, such as esrf-speedups":
                not FIGURE_ID.match(self.id) or self.id in ("all", "page"),
            f"kind: is missing. One of {', '.join(kinds.NAMES)}": self.kind is None and self.id not in kinds.FIGURES,
            f"measure: is missing, but a figure of kind {self.kind} needs it": self.kind and not self.measure,
            "rows: is missing, but a figure of kind table needs it": self.kind == "table" and not self.rows,
            "code: a figure of kind code needs exactly two sources": self.kind == "code" and len(self.code) != 2,
            "slide_code: both quotes need a name": self.slide_code[1:] and None in {q.name for q in self.slide_code},
            f"over: there is no row {self.over!r}": self.rows and self.over not in labels,
        }  # fmt: skip
        yield from (problem for problem, is_wrong in wrong.items() if is_wrong)
        for row in self.rows:
            if labels.count(row.label) > 1:
                yield f"{labels.count(row.label)} rows have the label {row.label!r}: each label must be unique"
            if row.kernel not in kernels:
                yield f"row {row.label!r}: the figure does not measure the kernel {row.kernel!r}"
            if row.over not in labels:
                yield f"row {row.label!r}: over: there is no row {row.over!r}"
        for claim in self.claims if self.rows else ():
            for name in (claim.faster, claim.than):
                if name not in labels:
                    yield f"claim {claim.says!r}: there is no row {name!r}"


class Figures(Section):
    """Content of config/figures.yaml."""

    figures: tuple[Entry, ...] = Field(min_length=1, description="the figures, in the order of the pages")

    @field_validator("figures")
    @classmethod
    def _ids_differ(cls, figures):
        name, count = Counter(entry.id for entry in figures).most_common(1)[0]
        if count > 1:
            raise ValueError(f"{count} figures have the id {name!r}")
        return figures


@cache
def read(path=FIGURES):
    """Return {id: Entry} of the figures in a YAML file.

    If the file is invalid, raise InputError, which names the file, the figure, the key and a remedy.
    """
    return parse(configuration.read_data(Path(path)), path)


def parse(data, where=FIGURES):
    """Return {id: Entry} from the parsed content of a YAML file. Error messages name the file as `where`."""
    try:
        declaration = Figures.model_validate(data)
    except ValidationError as error:
        raise InputError(where, *explain(error, Figures, partial(_named_entry, data))) from None
    return {entry.id: entry for entry in declaration.figures}


def find(figure, path=FIGURES):
    """Return the Entry with the id `figure`. Raise InputError if no Entry has this id."""
    entries = read(path)
    if figure not in entries:
        raise InputError(path, f"there is no figure {figure!r}", f"Figures: {', '.join(entries)}")
    return entries[figure]


def place(home, entry):
    """Return the path of a figure's measured.json. `home` is the folder results/<machine>/."""
    return Path(home) / "lectures" / entry.id / "measured.json"


def _named_entry(data, keys):
    """Return ("figure 'its-id': ", the keys inside the figure).

    `keys` is the path to an invalid value. If the path does not lead into a figure, return ("", keys).
    """
    if len(keys) < 2 or not isinstance(keys[1], int):
        return "", keys
    entry = data[keys[0]][keys[1]]
    name = entry.get("id") if isinstance(entry, dict) else None
    return f"figure {name!r}: " if name else f"figure {keys[1] + 1}: ", keys[2:]
