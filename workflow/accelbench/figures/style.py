"""Common style of pages and figures: a colour per backend, a marker per implementation, and formats of numbers."""

import math
import zlib
from typing import NamedTuple

# Colours of backends with a contrast of about 3:1 or more to the page. A search maximised the minimum distance between
# the colours in OKLab, also under simulated protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes,
# IEEE TVCG 15, 2009). Each colour from JAX on has the largest distance in CIELAB from the colours before it.
LIGHT = {
    "python": "#808080",
    "numpy": "#1a1a1f",
    "ctypes": "#8a0012",
    "cffi": "#f96213",
    "cython": "#8e4f00",
    "numba": "#898fda",
    "pyopencl": "#651093",
    "cupy": "#2faa59",
    "pycuda": "#027153",
    "numba_cuda": "#0571d8",
    "jax": "#1e4bd2",
    "torch": "#e1694b",
    "triton": "#c31ea5",
    "cuda_core": "#c378b4",
    "cuda_compute": "#4b1e69",
    "warp": "#ff3c87",
    "numexpr": "#1e69a5",
    "pythran": "#b41e4b",
    "nanobind": "#4b2d4b",
    "f2py": "#962d78",
    "numba_cuda_mlir": "#0000ff",
    **{f"own-{n}": value for n, value in enumerate(("#3c3c00", "#b469f0", "#96965a", "#005a00", "#789600"))},
}
DARK = {
    "python": "#949494",
    "numpy": "#f2f2f2",
    "ctypes": "#db3d2f",
    "cffi": "#f3802c",
    "cython": "#eec107",
    "numba": "#bbaefe",
    "pyopencl": "#7e6cb9",
    "cupy": "#a9ff91",
    "pycuda": "#6bd1aa",
    "numba_cuda": "#128eff",
    "jax": "#0f5ae1",
    "torch": "#c39669",
    "triton": "#b41e96",
    "cuda_core": "#d2f0b4",
    "cuda_compute": "#874bc3",
    "warp": "#ff96d2",
    "numexpr": "#87e1ff",
    "pythran": "#a54b4b",
    "nanobind": "#875a78",
    "f2py": "#b4c35a",
    "numba_cuda_mlir": "#ffff00",
    **{f"own-{n}": value for n, value in enumerate(("#69690f", "#0078a5", "#ff1e78", "#008700", "#0f7869"))},
}
SPARE_COLORS = sum(name.startswith("own-") for name in LIGHT)  # Number of colours for backends that are not in LIGHT
# Colours of machines, from a similar search. The distance in OKLab between two colours is at least 0.18, and at least
# 0.12 under simulated deficiencies of colour vision.
MACHINES_LIGHT = ("#778800", "#550077", "#cc11aa", "#005500", "#4488ff", "#0022ff", "#cc7788", "#665566")
MACHINES_DARK = ("#77ff33", "#ff99ff", "#cc2200", "#44cc99", "#8888bb", "#aa00ee", "#cc8800", "#007766")
OTHER_LIGHT, OTHER_DARK = "#5f6b7a", "#aab4c0"

# Colours in files of figures. INK is the colour of text. PAGE is the colour of hollow markers and gaps between cells.
# Pages replace both colours by the theme's colours, so no backend may have one of the two.
INK, PAGE = "#1b1f24", "#fefefe"
SLOWER, FASTER = "#b3541e", "#1769aa"
FULLEST = 0.62  # Maximum opacity of a heatmap cell, whose text must be readable on light and on dark pages
VAST = 100  # Maximum ratio of the ends of an interval that is shown; the pages' script has the same limit
# WIDEST: maximum ratio of the ends of a value's interval. If the interval of a value is wider, the text UNCERTAIN is
# shown instead of the value.
WIDEST, UNCERTAIN = (
    3,
    "too uncertain",
)

# {marker of Matplotlib: character that stands for the marker in text}
MARKERS = {
    "o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖", "<": "◀", ">": "▶", "h": "⬢", "p": "⬟",
    "*": "★",
}  # fmt: skip
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2, 1.2, 2, 1.2, 2)))


class Look(NamedTuple):
    """Look of an implementation's line: the colour of the backend, a marker and a line style."""

    color: str
    marker: str
    dashes: object


def color(backend):
    """Return a backend's colour on a light page."""
    return LIGHT[_known(backend)]


def _known(backend):
    """Return the key of a backend's colour in LIGHT: its name, or a spare colour chosen by the name's checksum."""
    return backend if backend in LIGHT else f"own-{zlib.crc32(backend.encode()) % SPARE_COLORS}"


def looks(implementations):
    """Return {implementation: Look} from {implementation: backend}.

    The first len(MARKERS) implementations of a backend get different markers. Backends that are neighbours in LIGHT
    start with different markers, so that a reader can distinguish a few lines of several backends without colours.
    """
    counts, implementation_looks, markers = {}, {}, list(MARKERS)
    for name, backend in implementations.items():
        color_name = _known(backend)
        number = counts.get(color_name, 0)
        counts[color_name] = number + 1
        first = list(LIGHT).index(color_name)
        implementation_looks[name] = Look(
            LIGHT[color_name], markers[(first + number) % len(markers)], DASHES[number % len(DASHES)]
        )
    return implementation_looks


def machine_look(number):
    """Return the Look of the machine with this number in a comparison of machines, from 0 on."""
    markers = list(MARKERS)
    return Look(MACHINES_LIGHT[number % len(MACHINES_LIGHT)], markers[number % len(markers)], "-")


def theme_variables():
    """Return {colour in figures: CSS variable} for every colour that differs between the light and the dark theme."""
    backends = {value: f"--b-{name.replace('_', '-')}" for name, value in LIGHT.items()}
    machines = {value: f"--machine-{number}" for number, value in enumerate(MACHINES_LIGHT)}
    return (
        backends
        | machines
        | {
            OTHER_LIGHT: "--b-other",
            INK: "--ink",
            PAGE: "--page",
            SLOWER: "--slower",
            FASTER: "--faster",
        }
    )


def css_variables(palette, machines, other):
    """Return CSS declarations for the backends' colours `palette`, the machines' colours and the colour `other`."""
    lines = [f"--b-{name.replace('_', '-')}: {value};" for name, value in palette.items()]
    lines += [f"--machine-{number}: {value};" for number, value in enumerate(machines)]
    return " ".join([*lines, f"--b-other: {other};"])


def css_color(backend):
    """Return the CSS value of a backend's colour, which depends on the theme."""
    return f"var(--b-{_known(backend).replace('_', '-')})"


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def significant(value, digits=3):
    """Return a number with `digits` significant digits and without an exponent: 0.0123, 12.3, 1 230."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits - 1}e}")
    places = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{places}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _scaled(value, units):
    """Return a number as text in the largest unit that does not exceed the number; a dash if the number is missing.

    units  (factor, unit) pairs, largest factor first
    """
    if missing(value):
        return "–"
    factor, unit = next((pair for pair in units if abs(value) >= pair[0] * (1 - 5e-4)), units[-1])
    return f"{significant(value / factor)}\N{NO-BREAK SPACE}{unit}"


def seconds(value):
    """Return a time in seconds as text: 1.234e-5 as "12.3 µs"; a dash if the time is missing."""
    return _scaled(value, ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")))


def joules(value):
    """Return an energy in joules as text: 0.0123 as "12.3 mJ"; a dash if the energy is missing."""
    return _scaled(value, ((1, "J"), (1e-3, "mJ"), (1e-6, "µJ"), (1e-9, "nJ")))


def ratio(value, digits=3):
    """Return a ratio as text: 3.21 as "3.21×"; a dash if the ratio is missing."""
    return "–" if missing(value) else f"{significant(value, digits)}×"


def interval(low, high, show=str):
    """Return both ends of an interval as text; "" if an end is missing.

    If the ratio of the ends exceeds VAST, return "wider than a factor of ...".
    """
    if missing(low) or missing(high):
        return ""
    return f"{show(low)} – {show(high)}" if high <= VAST * abs(low) else f"wider than a factor of {VAST}"


def certain(show, value, *ends):
    """Return a number as text. If the ratio of its interval's ends exceeds WIDEST, return UNCERTAIN.

    show  function from a number to its text
    ends  low and high end of the interval; both are None or omitted if there is no interval
    """
    low, high = ends or (None, None)
    return show(value) if low is None or high <= WIDEST * low else UNCERTAIN


def rate(value, unit):
    """Return a rate as text: 1.8e10 in "B/s" as "18.0 GB/s"; a dash if the rate is missing."""
    return _scaled(value, ((1e12, f"T{unit}"), (1e9, f"G{unit}"), (1e6, f"M{unit}"), (1e3, f"k{unit}"), (1, unit)))


def amount(value):
    """Return a number of bytes as text in binary units: 1048576 as "1 MiB"."""
    if missing(value):
        return "–"
    for power, unit in ((4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")):
        if value >= 1024**power:
            return f"{value / 1024**power:.3g}\N{NO-BREAK SPACE}{unit}"
    return f"{value:.0f}\N{NO-BREAK SPACE}B"


SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def size(value):
    """Return a problem size as text: 100000 as 10⁵, 500000 as 5·10⁵, other sizes with digits in groups of three.

    Powers of ten have an exponent from 1000 on. Their multiples by 2 to 9 have an exponent from 100 000 on.
    """
    digits = str(int(value))
    factor, zeros = digits.rstrip("0"), len(digits) - 1
    power = f"10{str(zeros).translate(SUPERSCRIPTS)}"
    if factor == "1" and zeros >= 3:
        return power
    return f"{factor}·{power}" if len(factor) == 1 and zeros >= 5 else count(value)


def count(value):
    """Return a whole number with its digits in groups of three."""
    return f"{int(value):,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def slug(text):
    """Return a text in lower case for file names and anchors.

    A single dash replaces all other characters between two words of ASCII letters and digits.
    """
    return "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in str(text or "")).lower().split())
