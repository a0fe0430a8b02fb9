"""Tests of colours and formatted numbers in figures and pages."""

import itertools
import math

import numpy as np
import pytest
from report_page import number

from accelbench import backends
from accelbench.figures import style

DICHROMATS = {
    "protan": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deutan": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    "normal": np.eye(3),
}


def linear(color):
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return float(linear(color) @ [0.2126, 0.7152, 0.0722])


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", DICHROMATS)
@pytest.mark.parametrize("palette", [style.LIGHT, style.DARK])
def test_backends_are_told_apart_by_the_colour_blind(palette, vision):
    """Colours of backends differ for the colour-blind, except those of user-written backends."""
    colors = {name: color for name, color in palette.items() if vision == "normal" or not name.startswith("own-")}
    seen = {name: lab(np.array(DICHROMATS[vision]) @ linear(color)) for name, color in colors.items()}
    distances = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in itertools.combinations(seen, 2)}
    assert min(distances.values()) > 10, min(distances, key=distances.get)


@pytest.mark.parametrize(("palette", "background"), [(style.LIGHT, "#ffffff"), (style.DARK, "#14171b")])
def test_backends_stand_out_from_the_page(palette, background):
    assert palette.keys() == style.LIGHT.keys()
    for color in palette.values():
        bright, dim = sorted([luminance(color), luminance(background)], reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 2.9


# Matrices of complete colour-vision deficiency in linear RGB (Machado, Oliveira and Fernandes, 2009)
SIMULATED = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_CONES = [
    [0.41222147, 0.53633254, 0.05144599],
    [0.2119035, 0.68069955, 0.10739696],
    [0.08830246, 0.28171884, 0.6299787],
]
TO_OKLAB = [
    [0.21045426, 0.79361778, -0.00407205],
    [1.9779985, -2.4285922, 0.45059371],
    [0.02590404, 0.78277177, -0.80867577],
]


def oklab(rgb):
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_CONES) @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("vision", SIMULATED)
@pytest.mark.parametrize("palette", [style.MACHINES_LIGHT, style.MACHINES_DARK], ids=["light", "dark"])
def test_machines_are_told_apart_by_everybody(palette, vision):
    """In Oklab, distances between the eight colours of a theme far exceed 0.02, the just noticeable difference."""
    seen = {color: oklab(np.array(SIMULATED[vision]) @ linear(color)) for color in palette}
    distances = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in itertools.combinations(seen, 2)}
    assert len(palette) == 8
    assert min(distances.values()) > (0.18 if vision == "normal" else 0.119), min(distances, key=distances.get)


def test_machines_have_shapes_and_stand_out_from_the_page():
    looks = [style.machine_look(number) for number in range(24)]
    assert len({look.marker for look in looks[:8]}) == len({look.color for look in looks[:8]}) == 8
    assert len(set(looks)) == len(looks)
    assert not set(style.MACHINES_LIGHT) & set(style.LIGHT.values())  # each colour has its own CSS variable
    for palette, background in ((style.MACHINES_LIGHT, "#ffffff"), (style.MACHINES_DARK, "#14171b")):
        for color in palette:
            bright, dim = sorted([luminance(color), luminance(background)], reverse=True)
            assert (bright + 0.05) / (dim + 0.05) >= 3


def test_implementations_of_one_backend_have_markers_of_their_own():
    looks = style.looks(dict.fromkeys((f"cffi_{n}" for n in range(10)), "cffi"))
    cffi = [look for name, look in looks.items() if name.startswith("cffi")]
    assert len({look.marker for look in cffi}) == len(cffi)
    assert {look.color for look in cffi} == {style.LIGHT["cffi"]}


def test_the_first_of_each_backend_has_a_marker_that_its_neighbours_have_not():
    known = list(style.LIGHT)[: len(style.MARKERS)]
    looks = style.looks({f"{backend}_first": backend for backend in known})
    assert len({look.marker for look in looks.values()}) == len(known)


def test_no_two_backends_look_alike():
    """Each backend has its own colour, so that lines of two backends differ whatever their markers and dashes."""
    known = sorted(backends.modules())
    assert set(known) <= style.LIGHT.keys()
    looks = style.looks({f"{backend}_{n}": backend for backend in known for n in range(len(style.MARKERS))})
    assert len(set(looks.values())) == len(looks)
    for palette in (style.LIGHT, style.DARK):
        assert len(set(palette.values())) == len(palette)


def test_backends_of_ones_own_are_told_apart():
    own = [f"new{n}" for n in range(20)]
    looks = style.looks({f"{backend}_way": backend for backend in own})
    assert len({look.color for look in looks.values()}) == style.SPARE_COLORS == 5
    assert len({(look.color, look.marker) for look in looks.values()}) == len(own)
    known = {style.color(backend) for backend in backends.modules()}
    assert {look.color for look in looks.values()}.isdisjoint({style.OTHER_LIGHT, *known})
    assert style.looks({"new3_way": "new3"})["new3_way"].color == looks["new3_way"].color


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.2345e-5, "12.3 µs"), (0.9999e-3, "1.00 ms"), (3.0, "3.00 s"), (4.2e-10, "0.420 ns"), (None, "–")],
)
def test_seconds(value, shown):
    assert style.seconds(value).replace("\N{NO-BREAK SPACE}", " ") == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1000, "10³"), (10**7, "10⁷"), (1024, "1 024"), (100, "100"), (0, "0"), (50_000_000, "5·10⁷"), (20_000, "20 000")],
)
def test_sizes(value, shown):
    assert style.size(value).replace("\N{NARROW NO-BREAK SPACE}", " ") == shown


@pytest.mark.parametrize("value", [0.01234, 1.005, 9.999, 12.34, 277.4, 12345.6])
def test_ratios_have_three_digits(value):
    assert number(style.ratio(value)) == pytest.approx(value, rel=5e-3)
    assert not math.isnan(number(style.ratio(value)))


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (1.2e-6, 9e-5, "1.20 µs – 90.0 µs"),
        (1e-9, 120.0, "wider than a factor of 100"),
        (None, None, ""),
        (2.0, math.nan, ""),
    ],
)
def test_an_interval_is_told_by_its_ends_where_they_say_something(low, high, told):
    assert style.interval(low, high, style.seconds).replace("\N{NO-BREAK SPACE}", " ") == told
