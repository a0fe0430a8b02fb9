"""Tests of inside_polygon against its rule, evaluated in rational arithmetic for each pixel."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.errors import InputError
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "inside_polygon")
# CUDA implementations are excluded: `accelbench check` tests them on GPUs, and test_cuda_sources.py runs the kernels of
# the two .cu files on the host.
IMPLEMENTATIONS = sorted(name for name, i in FOLDER.implementations.items() if i.backend not in CUDA)

# height, width, vertices
EXAMPLES = {
    "square": (12, 12, [(2, 3), (9, 3), (9, 10), (2, 10)]),
    "square, other direction": (12, 12, [(2, 10), (9, 10), (9, 3), (2, 3)]),
    "whole image": (8, 8, [(0, 0), (8, 0), (8, 8), (0, 8)]),
    "edges through pixels": (13, 17, [(0, 6), (8, 2), (16, 6), (8, 10)]),
    "concave": (12, 12, [(0, 0), (11, 0), (11, 11), (5, 4), (0, 11)]),
    "vertices that touch a row": (9, 15, [(1, 1), (4, 5), (7, 1), (10, 5), (13, 1), (13, 8), (1, 8)]),
    "horizontal steps": (9, 12, [(1, 1), (4, 1), (4, 4), (7, 4), (7, 1), (10, 1), (10, 7), (1, 7)]),
    "bow tie": (11, 11, [(0, 0), (10, 10), (10, 0), (0, 10)]),
    "star": (21, 21, [(10, 0), (16, 19), (0, 7), (20, 7), (4, 19)]),
    "drawn twice": (9, 9, [(1, 1), (7, 1), (4, 7), (1, 1), (7, 1), (4, 7)]),
    "repeated vertices": (9, 9, [(1, 1), (1, 1), (7, 1), (7, 1), (7, 1), (4, 7), (4, 7)]),
    "vertex on an edge": (9, 9, [(0, 4), (8, 4), (8, 8), (4, 4), (0, 8)]),
    "thin": (9, 40, [(0, 0), (39, 8), (38, 8)]),
    "horizontal line": (5, 9, [(1, 2), (7, 2), (4, 2)]),
    "vertical line": (9, 5, [(2, 1), (2, 7), (2, 4)]),
    "slanted line": (9, 9, [(1, 1), (7, 4)]),
    "point": (5, 5, [(3, 2)]),
    "point thrice": (5, 5, [(3, 2), (3, 2), (3, 2)]),
    "no vertices": (5, 7, []),
    "outer borders": (6, 9, [(9, 0), (9, 6), (0, 6), (9, 6), (4, 0)]),
    "one row": (1, 9, [(0, 0), (9, 1), (3, 1), (3, 0)]),
    "one column": (9, 1, [(0, 0), (1, 9), (1, 3), (0, 3)]),
    # Edges that cross row 1 at 1 - 1/32767 and 1 + 1/32767, with the largest products that must fit into 32 bits
    "just before a pixel": (6, 9, [(0, 0), (32766, 32767), (0, 32768)]),
    "just behind a pixel": (6, 9, [(0, 0), (32768, 32767), (0, 32768)]),
    "far larger than the image": (9, 9, [(32768, 0), (0, 32768), (0, 7), (32768, 32768), (4, 32768), (0, 0)]),
    "beyond all borders": (9, 11, [(-5, -3), (6, -7), (14, 5), (4, 14), (-6, 8)]),
    "beyond the upper left": (7, 7, [(-3, -2), (3, 1), (2, 4), (-1, 3), (-7, 5)]),
    "not on the image": (6, 6, [(-5, -5), (-1, -4), (-3, 9), (-6, 3)]),
    "no columns": (3, 0, [(0, 1), (0, 2), (0, 3)]),
    "no pixels": (0, 0, [(0, 0), (0, 0), (0, 0)]),
}


def by_definition(height, width, vertices):
    edges = list(zip(vertices, vertices[1:] + vertices[:1], strict=True))

    def row(y):
        spanning = [(a, b) for a, b in edges if min(a[1], b[1]) < y <= max(a[1], b[1])]
        crossings = [xa + Fraction(y - ya, yb - ya) * (xb - xa) for (xa, ya), (xb, yb) in spanning]
        return [(x, y) in vertices or sum(x <= at for at in crossings) % 2 == 1 for x in range(width)]

    return np.array([row(y) for y in range(height)], "uint8").reshape(height, width)


def as_array(vertices):
    polygon = np.array(vertices, "int32").reshape(-1, 2)
    polygon.setflags(write=False)
    return polygon


def random_polygons():
    """Yield random polygons that cross themselves: on coarse grids, where edges meet at pixels, and on finer grids."""
    rng = np.random.default_rng(11)
    for height, width, count in [
        (7, 7, 9),
        (7, 12, 16),
        (12, 7, 16),
        (3, 30, 12),
        (30, 3, 12),
        (31, 31, 24),
        (40, 23, 5),
    ]:
        for _ in range(4):
            yield height, width, list(map(tuple, rng.integers(0, (width + 1, height + 1), (count, 2)).tolist()))


@pytest.fixture(scope="module")
def problems():
    return [(by_definition(*problem), as_array(problem[2])) for problem in (*EXAMPLES.values(), *random_polygons())]


def check(run, name, problems, block_size=None):
    for expected, polygon in problems:
        height, width = expected.shape
        options = {"vertices": len(polygon), "width": width}
        (mask,) = run(name, "int32", {"polygon": polygon}, block_size, height, options=options)
        np.testing.assert_array_equal(mask[:, :width], expected, err_msg=str(polygon.tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in IMPLEMENTATIONS if not name.startswith("pyopencl")])
def test_implementation_follows_the_rule(run, name, problems):
    check(run, name, problems)


@pytest.mark.slow
@pytest.mark.parametrize("block_size", [(8, 8), (16, 4), (1, 32)])
@pytest.mark.parametrize("name", [name for name in IMPLEMENTATIONS if name.startswith("pyopencl")])
def test_opencl_implementation_follows_the_rule(run, name, block_size, problems):
    check(run, name, problems, block_size)


def test_reference_follows_the_rule(problems):
    for expected, polygon in problems:
        np.testing.assert_array_equal(reference(polygon, *expected.shape), expected, err_msg=str(polygon.tolist()))


def reference(polygon, height, width):
    """Return the specification's mask. In kernel.py, width=0 means a square, so cut width 0 out of a wider mask."""
    options = {"vertices": len(polygon), "width": width or height + 1}
    (mask,) = FOLDER.expected(height, "int32", options=options, inputs={"polygon": polygon})
    return mask[:, :width]


def test_borders_are_as_documented():
    drawn = """
        .......
        .#..#..
        ..###..
        ..###..
        .####..
        .......
    """
    square = as_array([(1, 1), (4, 1), (4, 4), (1, 4)])
    assert picture(reference(square, 6, 7)) == drawn.split()


def test_polygons_share_no_pixels_of_a_common_edge_but_its_ends():
    whole = [(1, 1), (13, 3), (11, 12), (3, 10)]
    parts = [(1, 1), (13, 3), (11, 12)], [(1, 1), (11, 12), (3, 10)]
    first, second = (reference(as_array(part), 15, 15) for part in parts)
    np.testing.assert_array_equal(first | second, reference(as_array(whole), 15, 15))
    y, x = np.nonzero(first & second)
    assert sorted(zip(x.tolist(), y.tolist(), strict=True)) == [(1, 1), (11, 12)]


def picture(mask):
    return ["".join(".#"[pixel] for pixel in row) for row in mask]


def test_inputs_come_from_the_seed_and_reach_all_borders():
    options = {"vertices": 5000, "width": 9}
    first, second = (
        FOLDER.inputs(6, "int32", rng=np.random.default_rng(3), options=options)["polygon"] for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)
    assert first.shape == (5000, 2)
    assert first.dtype == "int32"
    assert first.min(axis=0).tolist() == [0, 0]
    assert first.max(axis=0).tolist() == [9, 6]


@pytest.mark.parametrize(("width", "shape"), [(0, (6, 6)), (9, (6, 9))])
def test_mask_has_a_row_for_each_y(width, shape):
    (mask,) = FOLDER.outputs(6, "int32", {"vertices": 24, "width": width})
    assert (mask.shape, mask.dtype) == (shape, "uint8")
    assert FOLDER.cost(6, 4, {"vertices": 24, "width": width}) == (24 * 2 * 4, shape[0] * shape[1], 0)


@pytest.mark.parametrize(
    ("size", "options", "named"),
    [
        (8, {"vertices": -1, "width": 0}, "vertices=-1"),
        (8, {"vertices": 2.5, "width": 0}, r"vertices=2\.5"),
        (8, {"vertices": 24, "width": -3}, "width=-3"),
        (8, {"vertices": 24, "width": 0.5}, r"width=0\.5"),
        (8, {"vertices": 24, "width": 32769}, "width=32769"),
        (32769, {"vertices": 24, "width": 8}, "size=32769"),
    ],
)
def test_impossible_options_are_named(size, options, named):
    with pytest.raises(InputError, match=named):
        FOLDER.inputs(size, "int32", rng=np.random.default_rng(0), options=options)
