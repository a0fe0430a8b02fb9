"""What a figure shows: its picture, table, sentences and what is missing; and the words that several kinds use."""

from dataclasses import dataclass, field

from accelbench.analysis.devices import short_device
from accelbench.figures import style
from accelbench.figures.canvas import plot_area
from accelbench.figures.chart import Chart, Drawing, Table

KINDS_OF_TIME = {
    "compute": "time of the computation alone",
    "throughput": "time of one call among many, as fast as they are launched",
    "call": "time of one call, waited for",
    "launch": "time the host spends on a launch",
    "end_to_end": "time from host arrays to host arrays",
    "end_to_end_pinned": "time from host arrays to host arrays, page-locked",
    "upload": "time of the transfer to the device",
    "download": "time of the transfer from the device",
    "upload_pinned": "time of the transfer to the device, page-locked",
    "download_pinned": "time of the transfer from the device, page-locked",
    "first_call": "time of the first call",
}
RESIDENT = ("compute", "throughput", "call")  # the kinds of time of data that lie where they are used
EMPTY = "–"
TODAY = "today"  # the lecture of figures that are of none: of today's ways


@dataclass
class View:
    """What one figure shows, what its numbers say and are of, and what could not be made.

    chart    what draws itself
    summary  what it shows, in words
    table    its numbers; the chart's own where None
    timed    whether its numbers are times of one kind
    values   {label: Value} of the entry's rows, which its claims compare
    sources  the Sources beside it; those that the entry names where None
    links    {implementation: path} of pages that are copied beside the page
    device   a device that was looked at beside those that cases ran on
    """

    chart: Chart
    summary: str
    table: Table | None = None
    sentences: list = field(default_factory=list)
    missing: list = field(default_factory=list)
    complete: bool = True
    timed: bool = True
    values: dict = field(default_factory=dict)
    sources: list | None = None
    links: dict = field(default_factory=dict)
    device: str | None = None
    problems: str = ""


def nothing(why, **given):
    """The View of a figure that has no number at all: words in its place."""
    text = f"Not made here: {why}"

    def draw():
        figure, axes = plot_area(10, 420, 60, right=10, top=10, bottom=10)
        axes.axis("off")
        axes.text(0.5, 0.5, text, ha="center", va="center", wrap=True, alpha=0.8)
        return figure

    return View(Drawing(draw), text, complete=False, **given)


def by_reason(pairs):
    """["names: reason", ...] of (name, reason) pairs."""
    reasons = {}
    for name, reason in pairs:
        reasons.setdefault(reason, []).append(name)
    return [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def listed(words):
    """ "1", "1 and 2", "1, 2 and 3"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def transferred(case, over=None):
    """Time from host arrays to host arrays, in brackets by page-locked memory, of what runs on a device with memory of
    its own; where `over` is given, how many times faster than that. Nothing where a transfer is what is timed."""
    if not case.on_accelerator or case.timing("end_to_end") is case.timing("compute"):
        return ""
    times = [case.seconds(kind) for kind in ("end_to_end", "end_to_end_pinned")]
    base = over.seconds("end_to_end") if over else None
    words = [style.ratio(base / t) if base else style.seconds(t) for t in times if t]
    return f"{words[0]} ({words[1]})" if len(words) > 1 else "".join(words)


def how(value):
    """With how many threads, in what blocks and on which device a Value was taken."""
    return ", ".join(filter(None, [value.where, device_name(value.case.record.device)])) if value.case else ""


def device_name(device):
    """A device's short name; empty for the machine's own cores."""
    return "" if device in (None, "cpu") else short_device(device)
