"""What stands on pages of slides, how large and where."""

import html
import re
from functools import lru_cache

from matplotlib.text import Text

from accelbench.slides import layout, writing


@lru_cache(maxsize=16)
def drawn(sheet):
    """The texts that are drawn on a sheet: Matplotlib keeps labels of ticks that lie outside, too."""
    svg = writing.SAVED["svg"](sheet, layout.Slide("any", "any", None, ""))
    said = {html.unescape(text) for text in re.findall(r"<text [^>]*>(.*?)</text>", svg)}
    return [each for each in sheet.figure.findobj(Text) if each.get_visible() and each.get_text() in said]


def written(sheet):
    """{text: points on the page} of what a sheet says; of what it says twice the smaller."""
    found = {}
    for each in drawn(sheet):
        points = each.get_fontsize() * sheet.scale
        found[each.get_text()] = min(points, found.get(each.get_text(), points))
    return found


def boxes(sheet):
    """(what, its box in shares of the page) of all that a sheet says."""
    sheet.figure.draw_without_rendering()
    whole = sheet.figure.bbox
    for each in drawn(sheet):
        box = each.get_window_extent()
        yield (
            each.get_text(),
            (box.x0 / whole.width, box.y0 / whole.height, box.x1 / whole.width, box.y1 / whole.height),
        )


def outside(sheet):
    """What lies on its page in part only."""
    return [what for what, box in boxes(sheet) if min(box) < -0.001 or max(box) > 1.001]
