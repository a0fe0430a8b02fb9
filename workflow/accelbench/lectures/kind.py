"""What a kind of figure is: the base of the classes in kinds/."""

import fnmatch

from accelbench.lectures import sources
from accelbench.lectures.value import Value, fastest

TODAY = "today"  # the lecture of figures that are of none: of today's ways


class Kind:
    """A kind of figure: what an entry of it must say, what is looked at for it beside timings, and what it shows.

    A kind is a class <Name>Kind in a module kinds/<name>.py, and is registered nowhere else. Snakemake imports these
    modules whenever it starts: what draws is imported where it is used.

    needs         keys of an entry without which there is nothing to show
    of_one_time   whether its numbers are of one kind of time
    as_text       whether the page writes it as text, with highlighting, and does not show the drawing
    of_contestants  whether it is of versions of libraries alone, which other figures leave out
    shows_source  whether the sources are the figure: the page shows them unasked, ours before the slide's
    Observation   a pydantic model of what `observe` returns, which stands in measured.json under the kind's name
    """

    needs = ("measure",)
    of_one_time = False
    as_text = False
    of_contestants = False
    shows_source = False
    Observation = None

    def validate(self, entry):
        """ValueError names a key that an entry of this kind needs."""
        for key in self.needs:
            if not getattr(entry, key):
                raise ValueError(f"{key}: a figure of kind {entry.kind} needs it")

    def observe(self, needs, machine, scratch):
        """What it looks at beside timings, as plain data. `needs` are its parts, ready for measuring; `machine` what is
        known of it; `scratch` a folder for files of the moment."""
        raise NotImplementedError

    def view(self, entry, results):
        """The View of a figure, from its FigureResults."""
        raise NotImplementedError

    def value_of(self, row, entry, results):
        """The Value of a row: its fastest case's, or why there is none."""
        if row.implementation is None:
            return Value(reason="there is no counterpart")
        cases = results.matching(
            row.implementation, kernel=row.kernel, size=row.size, dtype=row.dtype, options=row.options
        )
        cases = results.running(cases, row.threads, row.device)
        if not cases and not results.gpus and _wants_gpu(row, entry):
            return Value(reason="there is no GPU here")
        if not cases and (names := fnmatch.filter(results.left_out, row.implementation)):
            return Value(reason=results.left_out[names[0]])
        return fastest(cases, row.time or entry.time)

    def sources(self, entry, results):
        """The Sources that stand beside the figure."""
        return sources.shown(entry, results)

    def links(self, entry, results, report_dir):
        """The Links to pages that are copied beside ours, into `report_dir`."""
        return []


def _wants_gpu(row, entry):
    """Whether a row is about a GPU, or the part that measures its problem wants one."""
    parts = [
        part
        for part in entry.measure
        if row.kernel in (None, part.kernel) and (row.size is None or part.sizes is None or row.size in part.sizes)
    ]
    return row.device == "gpu" or (bool(parts) and all(part.needs == "gpu" for part in parts))
