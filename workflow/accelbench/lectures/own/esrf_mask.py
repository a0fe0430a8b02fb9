"""A polygon and its mask: the first problem of the figure's part, exactly as every implementation is checked with."""

import base64
from functools import partial
from typing import Annotated

import numpy as np
from matplotlib.colors import ListedColormap, to_rgba
from pydantic import Base64Bytes, BaseModel, Field

from accelbench.figures import style
from accelbench.figures.canvas import plot_area
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.measured import NOTHING
from accelbench.lectures.views import View, nothing
from accelbench.machine.memory import free_memory_bytes
from accelbench.measure import plan
from accelbench.model.record import Finite
from accelbench.verify.process import Verifier

DEADLINE_S = 60.0
WIDTH = 300  # of the picture, in points
Side = Annotated[int, Field(gt=0, le=8192)]  # pixels of a picture


class MaskedPolygon(BaseModel):
    """The polygon of a problem and its mask, packed into bits."""

    polygon: list[tuple[int | Finite, int | Finite]] = Field(min_length=3)
    shape: tuple[Side, Side]
    mask: Base64Bytes


def observe(parts, machine, scratch):
    """Return the polygon and the mask of the first problem that is measured."""
    config = next((part.config for part in parts if part.config), None)
    if config is None:
        return {}
    problem = plan.problems(config, config.sizes)[0]
    verifier = Verifier(DEADLINE_S, int(free_memory_bytes()), scratch)
    given = verifier.given(config.kernel, problem, seed=config.protocol.seed, which=0)
    (polygon,), (mask,) = (arrays.values() for arrays in verifier.arrays(given))
    given.close()
    verifier.close()
    packed = base64.b64encode(np.packbits(mask.astype(bool))).decode()
    return {"picture": {"polygon": polygon.tolist(), "shape": list(mask.shape), "mask": packed}}


def view(entry, results):
    """Return the View of the mask under its polygon."""
    picture = results.observed("picture", MaskedPolygon)
    if picture is None:
        return nothing("; ".join(results.missing) or NOTHING)
    polygon, (rows, columns) = np.array(picture.polygon), picture.shape
    pixels = np.unpackbits(np.frombuffer(picture.mask, np.uint8), count=rows * columns).reshape(rows, columns)
    text = (
        f"{pixels.mean():.1%} of {rows} × {columns} pixels lie inside the polygon of {len(polygon)} vertices, which "
        f"crosses itself {crossings(polygon)} times."
    )
    corners = Table(("vertex", "x", "y"), [[*map(str, (n, *corner))] for n, corner in enumerate(polygon.tolist(), 1)])
    return View(Drawing(partial(_draw, pixels, polygon)), text, corners, sentences=[text], timed=False)


def _draw(pixels, polygon):
    """Draw pixels of shape (rows, columns), y downwards as images have it, and the polygon's (x, y) corners."""
    rows, columns = pixels.shape
    figure, axes = plot_area(WIDTH, WIDTH * rows / columns)
    clear = to_rgba(style.PAGE, 0)
    axes.imshow(pixels, cmap=ListedColormap([clear, to_rgba(style.FASTER, 0.45)]), interpolation="nearest")
    steps = np.roll(polygon, -1, axis=0) - polygon
    arrows = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.0025, "headwidth": 7, "headlength": 8}
    axes.quiver(*polygon.T, *steps.T, color=style.INK, **arrows)
    axes.plot(*polygon.T, "o", markersize=2.6, color=style.INK)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xlabel="x", ylabel="y")
    return figure


def crossings(polygon):
    """Return how many pairs of a ring's edges cross in their interiors."""
    ends = np.roll(polygon, -1, axis=0)

    def side(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    edges = list(zip(polygon.astype(int), ends.astype(int), strict=True))
    return sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for i, (a, b) in enumerate(edges)
        for c, d in edges[i + 1 :]
    )
