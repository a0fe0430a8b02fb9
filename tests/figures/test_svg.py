"""Tests of SVG figures within a page, which are smaller than the SVG files but look the same."""

import io
import re
from xml.etree import ElementTree

import pytest

from accelbench.figures import canvas, svg
from accelbench.figures.chart import Drawing

COLORS = ("#aa0000", "#0000aa", "#123456")  # Colours that the theme does not use


@pytest.fixture(autouse=True)
def own_style():
    canvas.use_style()


def drawing():
    """Return a figure with similar texts, one of them semi-transparent, and with lines and dots of several colours."""
    figure, axes = canvas.plot_area(200, 100)
    for n in range(6):
        axes.text(0.1 * n, 0.5, f"n{n}", color=COLORS[0], alpha=0.5 if n == 3 else None)
        axes.plot([0, n + 1], [n, 1], color=COLORS[1 + (n == 2)], alpha=1 - 0.1 * n)
        axes.plot([n], [n], "o", color=COLORS[n % 3], markeredgewidth=0)
    return figure


def looks(text):
    """Return (content, style) of each text, path and marker in one of COLORS. Styles include those of groups."""
    root = ElementTree.fromstring(text)
    shapes = {f"#{path.get('id')}": path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    found = []

    def walk(element, inherited):
        own = dict(part.split(": ", 1) for part in element.get("style", "").split("; ") if ": " in part)
        look = inherited | {name: value for name, value in own.items() if name not in ("font-family", "--natural")}
        kind = element.tag.rpartition("}")[2]
        if kind == "text":
            what = element.text.strip()
        elif kind == "path":
            what = numbers(element.get("d"))
        elif kind == "use":
            shape = shapes[element.get("href") or element.get("{http://www.w3.org/1999/xlink}href")]
            what = [element.get("x"), element.get("y"), *numbers(shape)]
        else:
            assert "opacity" not in own  # a group's opacity would apply to its parts together
            what = None
        found.append((what, look))
        for part in element:
            walk(part, look)

    walk(root, {})
    return [(what, look) for what, look in found if what and any(color in look.values() for color in COLORS)]


def numbers(d):
    return re.findall(r"[-\d.]+", d)


def test_what_looks_the_same_says_so_once_and_looks_as_before():
    stream = io.BytesIO()
    drawing().savefig(stream, format="svg")
    whole = looks(svg.rounded(stream.getvalue().decode()))
    inline = svg.inline(drawing(), "own")
    assert looks(inline.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)) == whole
    assert len(whole) == 18
    assert len(re.findall(rf"font[^\"]*fill: {COLORS[0]}", inline)) == 3  # groups of texts: before n3, n3, after n3
    assert inline.count("<path id=") == 3  # shapes: tick of x, tick of y, dot


def test_heading_stands_in_the_file_and_not_in_the_page():
    chart = Drawing(drawing)
    streams = [io.BytesIO(), io.BytesIO()]
    for stream, heading in zip(streams, ((), ("Costs $1 & more", "on a machine")), strict=True):
        canvas.drawn(chart, *heading).savefig(stream, format="svg")
    plain, headed = (stream.getvalue().decode() for stream in streams)
    assert ">Costs $1 &amp; more<" in headed
    assert ">on a machine<" in headed
    pages = [svg.for_page(text, "own") for text in (plain, headed)]
    assert "machine" not in pages[1]
    sizes = [re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', text).groups() for text in pages]
    assert float(sizes[1][1]) == pytest.approx(float(sizes[0][1]), abs=4)
