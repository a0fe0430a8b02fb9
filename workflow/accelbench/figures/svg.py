"""A figure as SVG within a page: it follows the page's theme and font, and has ids of its own."""

import io
import re
import zlib
from html import escape
from itertools import groupby

from accelbench.figures import canvas, style

METADATA = {"Date": None, "Creator": None}
PLACES = re.compile(r'\b(?:d|x|y|width|height|transform|points)="[^"]*"')  # attributes that hold coordinates
# Empty groups, paths without a line, ids that nothing refers to, turns by no angle, and the font, which the page sets.
NEEDLESS = re.compile(
    r'<g id="[^"]*"/>\s*|<path d="[^"]*" style="fill: none"/>\s*| id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*\)"'
    r"|font-family: [^;\"]*; "
)
ALONE = re.compile(r"<g>\s*(<(?:use|path)\b[^>]*/>|<text\b[^>]*>[^<]*</text>)\s*</g>")  # groups of one part
HASHED = re.compile(r'(?<=["#])[mp][0-9a-f]{10}(?=["\)])')  # what matplotlib calls markers and clips
DEFINED = re.compile(r'<defs>\s*<path id="([^"]*)" ([^>]*)/>\s*</defs>\s*')  # a marker
STYLED = re.compile(r'<(?:text|path|use)\b[^>]* style="([^"]*)"')
OF_ITSELF = re.compile(r"(?<!-)opacity|clip")  # what a group does not hand down to its parts
HEADING = re.compile(r'<g id="heading\d+">.*?</g>\s*', re.DOTALL)  # of which the page has its own
RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2(?=\")")  # a path around a cell of a map
CELLS = re.compile(r'(?:<path d="[^"]*" style="fill: [^"]*; stroke: var\(--page\)"/>\n){2,}')  # with one stroke
DECIMALS = re.compile(r"(\d\.\d)\d+")  # more than a tenth of a point is not seen


def inline(figure, name, points=()):
    """Return a matplotlib Figure as SVG for the page alone; `points` as for_page takes them."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata=METADATA)
    return for_page(stream.getvalue().decode(), name, points)


def rounded(svg):
    """Return an SVG file's text, coordinates to a tenth of a point."""
    return PLACES.sub(lambda found: DECIMALS.sub(r"\1", found[0]), svg)


def for_page(svg, name, points=()):
    """Return an SVG file's text made fit to stand in a page: ids of its own, the theme's colours, the page's font,
    titles."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg, lines = HEADING.subn("", re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL))
    svg = _once(NEEDLESS.sub("", svg))
    svg = re.sub(r'\bid="line(\d+)-', r'data-line="\1" \g<0>', svg)
    svg = re.sub(r'<g id="point(\d+)">', lambda g: f"{g[0]}<title>{escape(points[int(g[1])])}</title>", svg)
    svg = rounded(svg)
    svg = re.sub(r'\bd="[^"]*"', lambda found: re.sub(r"\s*([MLCQz]|\"$)\s*", r"\1", found[0]), svg)
    svg = RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", re.sub(r"(-opacity: 0\.\d\d)\d+", r"\1", svg))
    short = {found: f"{number:x}" for number, found in enumerate(dict.fromkeys(HASHED.findall(svg)))}
    svg = HASHED.sub(lambda found: f"{zlib.crc32(name.encode()):x}.{short[found[0]]}", ALONE.sub(r"\1", svg))
    svg = ALONE.sub(r"\1", svg)
    own = r"(?![0-9a-f]+\.)"  # but those that are renamed already
    svg = re.sub(rf'\bid="{own}', f'id="{name}-', svg)
    svg = re.sub(rf'(href="#|url\(#){own}', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    for color, variable in style.theme_variables().items():
        svg = svg.replace(color, f"var({variable})")
    ((width, height),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    top = canvas.LINE_HEIGHT * lines  # that the heading takes
    head = (
        f'<svg viewBox="0 {top:g} {width} {float(height) - top:g}" style="--natural: {float(width):.0f}" '
        'aria-hidden="true">'
    )
    svg = re.sub(r"\s*\n\s*", "\n", head + svg[svg.index(">") + 1 :])
    stroke = "stroke: var(--page)"
    return _grouped(CELLS.sub(lambda g: f'<g style="{stroke}">\n{g[0].replace(f"; {stroke}", "")}</g>\n', svg))


def _once(svg):
    """Return the SVG with one definition of each marker that has several colours."""
    names, same = {}, {}

    def keep(found):
        same[found[1]] = names.setdefault(found[2], found[1])
        return found[0] if same[found[1]] == found[1] else ""

    svg = DEFINED.sub(keep, svg)
    return re.sub(r'(?<=href="#)[^"]*', lambda found: same.get(found[0], found[0]), svg)


def _grouped(svg):
    """Return the SVG, one element a line, with neighbours of the same style in a group that has this style."""
    lines = []
    for look, own in groupby(svg.split("\n"), lambda line: (found := STYLED.match(line)) and found[1]):
        parts = list(own)
        if look and len(parts) > 1 and not OF_ITSELF.search(look):
            parts = [f'<g style="{look}">', *(part.replace(f' style="{look}"', "", 1) for part in parts), "</g>"]
        lines += parts
    return "\n".join(lines)
