"""A chart and its source on a page of 16:9.

A chart is drawn in its natural size, whose smallest text has SMALL points, and enlarged to at least ENOUGH times that:
nothing on a page of 20 by 11.25 inches is smaller than 18 points. So that this holds, charts of many rows or columns
are shown in parts, and of many lines those that lead are named. The source stands beside the chart, or under it, or on
the next page.
"""

import math
import textwrap
from dataclasses import dataclass, replace
from statistics import median

from matplotlib.figure import Figure
from matplotlib.text import Text

from accelbench.figures import style
from accelbench.figures.canvas import LINE_HEIGHT, SMALL, drawn
from accelbench.figures.chart import Chart
from accelbench.figures.lines import ELSEWHERE, LineChart
from accelbench.figures.listing import Listing
from accelbench.figures.ranking import Ranking
from accelbench.figures.roofline import Roofline
from accelbench.figures.share_maps import ShareMaps
from accelbench.figures.speedup_map import SpeedupMap
from accelbench.slides import code

WIDTH, HEIGHT, MARGIN, GAP = 1440, 810, 48, 36  # points of a page
TITLE, TEXT = 34, 18
TITLE_TOP = MARGIN - 14
LEADING, LETTER = 1.32 * TEXT, 0.602 * TEXT  # of code, as DejaVu Sans Mono has it
TOP, BOTTOM = 112, 56  # above and below a body, where nothing is said under the title
BODY_WIDTH, BODY_HEIGHT = WIDTH - 2 * MARGIN, HEIGHT - TOP - BOTTOM
ENOUGH, MOST = TEXT / SMALL, 2.8  # times that a chart is enlarged
NARROWEST, FEWEST, USUAL = 30, 8, 64  # letters of a line of code beside a chart, lines below one, letters that suffice
TITLE_LETTERS = 66  # of a line of the title
SAID_LETTERS, MOST_SAID = 118, 2  # of a line of what is said under it, and such lines
NOT_DRAWN = ", not drawn"  # instead of ELSEWHERE: a slide has no numbers under it
HEAD = 66  # points of height that a chart has beside its rows
# What charts call the lists of what stands below each other.
ROWS = (("rows",), ("bars",), ("shown",), ("maps",), ("lines",), ("functions",), ("comparisons", "names"))


@dataclass(frozen=True)
class Slide:
    """What a slide shows.

    name     of its files
    footer   machine, date and commit
    said     sentences under the title, as many of them as have room
    texts    (file name, text) of the source
    summary  what is to be seen, in words; `notes` are what the numbers say
    needs_source  whether a source that has no room beside the chart gets a page of its own
    """

    name: str
    title: str
    chart: Chart
    footer: str
    texts: tuple[tuple[str, str], ...] = ()
    summary: str = ""
    notes: tuple[str, ...] = ()
    needs_source: bool = True
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A page: the name of its files, and a matplotlib Figure that is shown `scale` times as large."""

    name: str
    figure: Figure
    scale: float


def sheets(slide):
    """The Sheets of a Slide: one, more where the chart is shown in parts, and of a source that has no room."""
    if isinstance(slide.chart, Listing) and slide.texts:
        return list(_source_sheets(slide, slide.name))
    charts = list(parts(slide.chart))
    found, left = [], slide.texts
    for number, chart in enumerate(charts, 1):
        name = slide.name if number == 1 else f"{slide.name}-{number}"
        title = f"{slide.title} ({number}/{len(charts)})" if len(charts) > 1 else slide.title
        sheet, shown = _chart_sheet(replace(slide, title=title, chart=chart), name)
        found.append(sheet)
        left = () if shown else left
    return [*found, *_source_sheets(slide, f"{slide.name}-source")] if left and slide.needs_source else found


def parts(chart):
    """The chart as one or several that are readable."""
    for narrow in _narrow(chart):
        yield from _low(narrow)


def _narrow(chart):
    """The chart in as few parts beside each other as are readable."""
    found, count = [chart], 1
    while (
        isinstance(chart, SpeedupMap) and count < len(chart.columns) and max(map(_width, found)) > BODY_WIDTH / ENOUGH
    ):
        count += 1
        found = list(chart.beside(count))
    return found


def _low(chart):
    """The chart in parts below each other that are readable."""
    height = _height(chart)
    room = BODY_HEIGHT / ENOUGH
    if height <= room:
        yield chart
    elif isinstance(chart, LineChart) and not isinstance(chart, Ranking):
        most = math.floor((room - HEAD) / LINE_HEIGHT) - 1
        fewer = (replace(chart, lines=_leading(chart, count)) for count in range(most, 0, -1))
        yield next(each for each in fewer if _height(each) <= room)
    elif isinstance(chart, Roofline | ShareMaps):
        yield from chart.below(room)
    elif names := next((names for names in ROWS if all(len(getattr(chart, n, None) or ()) > 1 for n in names)), None):
        if isinstance(chart, Ranking):
            chart = replace(chart, lines=sorted(chart.lines, key=lambda line: line.y[-1]))
        rows = len(getattr(chart, names[0]))
        row = (height - _height(_cut(chart, names, start=0, stop=rows // 2))) / (rows - rows // 2)
        fitting = max(1, math.floor(max(room - (height - row * rows), room / 3) / row))
        most = math.ceil(rows / math.ceil(rows / fitting))
        for start in range(0, rows, most):
            yield _cut(chart, names, start=start, stop=start + most)
    else:
        yield chart


def _cut(chart, names, *, start, stop):
    """The chart with these of the rows that its lists of these names hold."""
    return replace(chart, **{name: getattr(chart, name)[start:stop] for name in names})


def _width(chart):
    return chart.draw().get_figwidth() * 72


def _height(chart):
    return chart.draw().get_figheight() * 72


def _leading(chart, most):
    """The chart's lines, all but so many muted: those furthest from the middle of all at their ends, which a talk is
    about, keep their names."""
    ends = {number: math.log(line.y[-1]) for number, line in enumerate(chart.lines) if not line.muted}
    middle = median(ends.values())
    kept = sorted(ends, key=lambda number: -abs(ends[number] - middle))[:most]
    return [line if n in kept else replace(line, muted=True) for n, line in enumerate(chart.lines)]


def _chart_sheet(slide, name):
    """(the Sheet of a slide with a chart, whether the source stands there, too)."""
    figure = drawn(slide.chart)
    for text in figure.findobj(Text):
        text.set_text(text.get_text().replace(ELSEWHERE, NOT_DRAWN))
    width, height = (72 * inches for inches in figure.get_size_inches())
    top = _top(slide)
    room = HEIGHT - top - BOTTOM
    place = _place_of_code(slide, width, height, room=room)
    if place is None:
        scale = min(MOST, room / height, BODY_WIDTH / width)
        left = (WIDTH - scale * width) / 2
    else:
        scale, left = place[0], MARGIN
    _enlarge(figure, scale, left=left, top=top)
    sheet = Sheet(name, figure, scale)
    _furnish(sheet, slide)
    if place:
        _write_code(sheet, slide.texts, place[1])
    return sheet, place is not None


def _place_of_code(slide, width, height, *, room):
    """(times that a chart of this size is enlarged, box of the source beside it or below it); None where a source has
    no room, or there is none."""
    if not slide.texts:
        return None
    top = _top(slide)
    wanted = min(code.longest(slide.texts), USUAL) * LETTER
    scales = [min(MOST, room / height, (BODY_WIDTH - GAP - wanted) / width), ENOUGH]
    places = []
    for scale in scales:
        left = MARGIN + scale * width + GAP
        if scale >= ENOUGH and scale * height <= room and WIDTH - MARGIN - left >= min(wanted, NARROWEST * LETTER):
            places.append((scale, (left, top, WIDTH - MARGIN - left, room)))
    begin = top + ENOUGH * height + GAP
    if HEIGHT - BOTTOM - begin >= (FEWEST + 1) * LEADING:
        places.append((min(ENOUGH, BODY_WIDTH / width), (MARGIN, begin, BODY_WIDTH, HEIGHT - BOTTOM - begin)))
    return next(((scale, box) for scale, box in places if _excerpts(slide.texts, box)), None)


def _source_sheets(slide, name):
    """The Sheets of a slide's sources, two columns a page, `name` with "-2" and so on from the second one on."""
    columns = _columns(slide.texts, HEIGHT - _top(slide) - BOTTOM)
    for start in range(0, len(columns), 2):
        sheet = Sheet(f"{name}-{start // 2 + 1}" if start else name, Figure(figsize=_size(ENOUGH)), ENOUGH)
        _furnish(sheet, slide)
        own = columns[start : start + 2]
        width = (BODY_WIDTH - GAP * (len(own) - 1)) / len(own)
        for number, texts in enumerate(own):
            left = MARGIN + number * (width + GAP)
            _write_code(sheet, texts, (left, _top(slide), width, HEIGHT - _top(slide) - BOTTOM))
        yield sheet


def _columns(texts, height):
    """The sources in columns of a page, as many in each as have room in full, but no single column of several."""
    letters, rows = math.floor((BODY_WIDTH - GAP) / 2 / LETTER), math.floor(height / LEADING)
    columns = [[]]
    for each in texts:
        if columns[-1] and code.rows([*columns[-1], each], letters=letters) > rows:
            columns.append([])
        columns[-1].append(each)
    return columns if len(columns) > 1 or len(texts) == 1 else [texts[:1], texts[1:]]


def _size(scale):
    """Inches of a page before it is enlarged."""
    return WIDTH / scale / 72, HEIGHT / scale / 72


def _enlarge(figure, scale, *, left, top):
    """Give a chart's figure a whole page, on which its axes keep their size and stand at `left` and `top`."""
    width, height = (72 * inches * scale for inches in figure.get_size_inches())
    figure.set_size_inches(_size(scale))
    for axes in figure.axes:
        box = axes.get_position(original=True)
        bottom = HEIGHT - top - height
        axes.set_position(
            [
                (left + box.x0 * width) / WIDTH,
                (bottom + box.y0 * height) / HEIGHT,
                box.width * width / WIDTH,
                box.height * height / HEIGHT,
            ]
        )


def _write(sheet, place, text, *, size=TEXT, **looks):
    """Write a line of text on a page, its top left at a place in points."""
    x, y = place
    looks = {"color": style.INK, "va": "top", "parse_math": False} | looks
    sheet.figure.text(x / WIDTH, 1 - y / HEIGHT, text, fontsize=size / sheet.scale, **looks)


def _furnish(sheet, slide):
    """Title, what is said under it, and footer."""
    lines, size = _title(slide)
    for number, line in enumerate(lines):
        _write(sheet, (MARGIN, TITLE_TOP + 1.15 * size * number), line, size=size, fontweight="bold")
    for number, line in enumerate(_said(slide)):
        _write(sheet, (MARGIN, _below_title(slide) + LEADING * number), line)
    _write(sheet, (MARGIN, HEIGHT - 40), slide.footer, color=style.OTHER_LIGHT)


def _title(slide):
    """(lines, their size): one, or two smaller ones."""
    words, lines = slide.title.split(" "), [""]
    for word in words:
        if len(lines[-1]) + len(word) >= TITLE_LETTERS and len(lines) < 2:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines, TITLE if len(lines) == 1 else 0.8 * TITLE


def _said(slide):
    """The lines of what is said under the title: of the first sentence all."""
    lines = []
    for count in range(len(slide.said), 0, -1):
        lines = textwrap.wrap(" ".join(slide.said[:count]), SAID_LETTERS)
        if len(lines) <= MOST_SAID:
            break
    return lines


def _below_title(slide):
    lines, size = _title(slide)
    return TITLE_TOP + 1.15 * size * len(lines) + GAP / 4


def _top(slide):
    """Points above a body."""
    said = _said(slide)
    return max(TOP, _below_title(slide) + LEADING * len(said) + GAP / 4) if said else TOP


def _excerpts(texts, box):
    """code.excerpts of sources for a box (left, top, width, height)."""
    _, _, width, height = box
    return code.excerpts(texts, letters=math.floor(width / LETTER), rows=math.floor(height / LEADING))


def _write_code(sheet, texts, box):
    """Write sources into a box that has room for them, each under the name of its file."""
    left, top, _, _ = box
    for (name, _), found in zip(texts, _excerpts(texts, box), strict=True):
        _write(sheet, (left, top), name, fontweight="bold")
        for line, runs in enumerate(found, 1):
            for column, run, color in runs:
                place = left + column * LETTER, top + line * LEADING
                _write(sheet, place, run, color=color, family=["DejaVu Sans Mono"])
        top += (len(found) + 2) * LEADING
