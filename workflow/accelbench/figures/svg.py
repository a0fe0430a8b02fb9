"""Conversion of figures to SVG elements for a page. The elements have the page's theme and font, and unique ids."""

import io
import re
import zlib
from html import escape
from itertools import groupby

from accelbench.figures import canvas, style

METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
PLACES = re.compile(r'\b(?:d|x|y|width|height|transform|points)="[^"]*"')  # Attributes that contain coordinates
# Superfluous parts: empty groups, invisible paths, unused ids, rotations by zero, and the font, which the page sets
NEEDLESS = re.compile(
    r'<g id="[^"]*"/>\s*|<path d="[^"]*" style="fill: none"/>\s*| id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*\)"'
    r"|font-family: [^;\"]*; "
)
ALONE = re.compile(r"<g>\s*(<(?:use|path)\b[^>]*/>|<text\b[^>]*>[^<]*</text>)\s*</g>")  # Group of one element
HASHED = re.compile(r'(?<=["#])[mp][0-9a-f]{10}(?=["\)])')  # Ids that Matplotlib gives to markers and clip paths
DEFINED = re.compile(r'<defs>\s*<path id="([^"]*)" ([^>]*)/>\s*</defs>\s*')  # Definition of a marker
STYLED = re.compile(r'<(?:text|path|use)\b[^>]* style="([^"]*)"')
OF_ITSELF = re.compile(r"(?<!-)opacity|clip")  # Properties that elements do not inherit from their group
HEADING = re.compile(r'<g id="heading\d+">.*?</g>\s*', re.DOTALL)  # Heading of a figure's file; pages omit it
RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2(?=\")")  # Path around a cell of a heatmap
CELLS = re.compile(r'(?:<path d="[^"]*" style="fill: [^"]*; stroke: var\(--page\)"/>\n){2,}')  # Cells of a heatmap
DECIMALS = re.compile(r"(\d\.\d)\d+")  # Decimals beyond a tenth of a point, which are not visible


def inline(figure, name, points=()):
    """Return a Matplotlib Figure as SVG for a page. `name` and `points` are the arguments of for_page."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata=METADATA)
    return for_page(stream.getvalue().decode(), name, points)


def rounded(svg):
    """Return the text of an SVG file with coordinates cut off after a tenth of a point."""
    return PLACES.sub(lambda match: DECIMALS.sub(r"\1", match[0]), svg)


def for_page(svg, name, points=()):
    """Convert the text of an SVG file for use in a page.

    The result has unique ids, the theme's colours, the page's font, and tooltips.

    name    name of the figure, the prefix of its ids
    points  tooltips of the elements point<number>
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg, lines = HEADING.subn("", re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL))
    svg = _once(NEEDLESS.sub("", svg))
    svg = re.sub(r'\bid="line(\d+)-', r'data-line="\1" \g<0>', svg)
    svg = re.sub(r'<g id="point(\d+)">', lambda g: f"{g[0]}<title>{escape(points[int(g[1])])}</title>", svg)
    svg = rounded(svg)
    svg = re.sub(r'\bd="[^"]*"', lambda match: re.sub(r"\s*([MLCQz]|\"$)\s*", r"\1", match[0]), svg)
    svg = RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", re.sub(r"(-opacity: 0\.\d\d)\d+", r"\1", svg))
    short = {identifier: f"{number:x}" for number, identifier in enumerate(dict.fromkeys(HASHED.findall(svg)))}
    svg = HASHED.sub(lambda match: f"{zlib.crc32(name.encode()):x}.{short[match[0]]}", ALONE.sub(r"\1", svg))
    svg = ALONE.sub(r"\1", svg)
    lookahead = r"(?![0-9a-f]+\.)"  # skips the ids that the lines above renamed
    svg = re.sub(rf'\bid="{lookahead}', f'id="{name}-', svg)
    svg = re.sub(rf'(href="#|url\(#){lookahead}', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    for color, variable in style.theme_variables().items():
        svg = svg.replace(color, f"var({variable})")
    ((width, height),) = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    top = canvas.LINE_HEIGHT * lines  # height of the heading
    head = (
        f'<svg viewBox="0 {top:g} {width} {float(height) - top:g}" style="--natural: {float(width):.0f}" '
        'aria-hidden="true">'
    )
    svg = re.sub(r"\s*\n\s*", "\n", head + svg[svg.index(">") + 1 :])
    stroke = "stroke: var(--page)"
    return _grouped(CELLS.sub(lambda g: f'<g style="{stroke}">\n{g[0].replace(f"; {stroke}", "")}</g>\n', svg))


def _once(svg):
    """Return the SVG with a single definition for all markers that have the same path and stroke."""
    names, same = {}, {}

    def keep(match):
        same[match[1]] = names.setdefault(match[2], match[1])
        return match[0] if same[match[1]] == match[1] else ""

    svg = DEFINED.sub(keep, svg)
    return re.sub(r'(?<=href="#)[^"]*', lambda match: same.get(match[0], match[0]), svg)


def _grouped(svg):
    """Put neighbouring elements of the same style into a group with this style. Return the SVG.

    Each line of `svg` contains one element.
    """
    lines = []
    for look, neighbours in groupby(svg.split("\n"), lambda line: (match := STYLED.match(line)) and match[1]):
        parts = list(neighbours)
        if look and len(parts) > 1 and not OF_ITSELF.search(look):
            parts = [f'<g style="{look}">', *(part.replace(f' style="{look}"', "", 1) for part in parts), "</g>"]
        lines += parts
    return "\n".join(lines)
