"""Figures of the kind `picture`: a polygon and its mask."""

import base64
from typing import Annotated

import numpy as np
from pydantic import Base64Bytes, BaseModel, Field, model_validator

from accelbench.lectures.kind import Kind
from accelbench.lectures.value import NOTHING
from accelbench.lectures.view import View, nothing
from accelbench.model.record import Finite

DEADLINE_S = 60.0
Side = Annotated[int, Field(gt=0, le=8192)]  # pixels of a picture


class MaskedPolygon(BaseModel):
    """The polygon of a problem and its mask, packed into bits."""

    problem: str
    polygon: list[tuple[int | Finite, int | Finite]] = Field(min_length=3)
    shape: tuple[Side, Side]
    mask: Base64Bytes

    @model_validator(mode="after")
    def _fits(self):
        if len(self.mask) != -(-self.shape[0] * self.shape[1] // 8):
            raise ValueError("the mask is not of this shape")
        return self

    def pixels(self):
        """The mask as an array of 0 and 1."""
        rows, columns = self.shape
        return np.unpackbits(np.frombuffer(self.mask, np.uint8), count=rows * columns).reshape(rows, columns)


class PictureKind(Kind):
    """The first problem of the figure's first part, exactly as every implementation is checked with."""

    needs = ()
    Observation = MaskedPolygon

    def observe(self, needs, machine, scratch):
        from accelbench.machine.memory import free_memory_bytes
        from accelbench.measure import plan
        from accelbench.measure.verifier import Verifier

        config = next((need.config for need in needs if need.config), None)
        if config is None:
            return None
        problem = plan.problems(config, config.sizes)[0]
        verifier = Verifier(scratch, deadline_s=DEADLINE_S, memory_bytes=int(free_memory_bytes()))
        given = verifier.given(config.kernel, problem, seed=config.protocol.seed, which=0)
        arrays = verifier.arrays(given)
        (polygon,), (mask,) = arrays.inputs.values(), arrays.expected.values()
        given.close()
        verifier.close()
        return {
            "problem": problem.id,
            "polygon": polygon.tolist(),
            "shape": list(mask.shape),
            "mask": base64.b64encode(np.packbits(mask.astype(bool))).decode(),
        }

    def view(self, entry, results):
        from accelbench.figures.polygon_mask import PolygonMask

        if results.observed is None:
            return nothing("; ".join(results.missing) or NOTHING)
        figure = PolygonMask(results.observed.pixels(), np.array(results.observed.polygon))
        text = figure.alt_text()
        return View(figure, text, sentences=[text])
