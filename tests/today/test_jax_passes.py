"""Tests that XLA compiles each JAX implementation whose description has "one pass" to one loop over arrays."""

import importlib.util
import math
import os
import re

import numpy as np
import pytest

from accelbench import project
from accelbench.backends import jax as backend
from accelbench.discovery import import_file
from accelbench.kernels import catalog
from accelbench.model.device import Device
from accelbench.worker.case import KernelCase

SIZE = 300
needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")
FILES = [
    file
    for file in sorted((project.ROOT / "kernels").glob("*/jax_*.py"))
    if "one pass" in file.read_text(encoding="utf-8").splitlines()[0]
]
FREE = {"parameter", "bitcast", "get-tuple-element"}  # operations without a pass over memory


def test_some_say_so():
    assert len(FILES) >= 4


@needs_jax
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_one_pass(file):
    assert len(_passes(file)) == 1


def _passes(file):
    """Return the compiled operations of `run` whose results are at least as large as the first output, except FREE."""
    os.environ.update(backend.Session.variables(Device("cpu"), 1))
    import jax

    folder, module = catalog.load(file.parent), import_file(file)
    options, dtype = folder.spec.options, folder.spec.dtypes[0]
    inputs = folder.inputs(SIZE, dtype, rng=np.random.default_rng(1), options=options)
    outputs = [np.empty(output.shape, output.dtype) for output in folder.outputs(SIZE, dtype, options)]
    case = KernelCase(size=SIZE, dtype=dtype, options=options)
    run = module.prepare(case) if hasattr(module, "prepare") else module.run
    text = jax.jit(run).lower(*inputs.values(), *outputs).compile().as_text()
    made = re.findall(r"= \w+\[([\d,]+)\]\S* ([\w-]+)\(", text[text.index("\nENTRY ") :])
    large = math.prod(outputs[0].shape)
    return [what for shape, what in made if what not in FREE and math.prod(map(int, shape.split(","))) >= large]
