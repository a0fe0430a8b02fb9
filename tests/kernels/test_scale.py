"""Tests of scale: its rendered templates, and tuned implementations that use the best parameters."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from jinja2 import Template

from accelbench import discovery
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "scale")
UNROLL = FOLDER.implementations["pyopencl_template"].parameters["unroll"]
TEMPLATES = {"pyopencl": "pyopencl_template", "cupy": "cupy_raw_template", "pycuda": "pycuda_template"}
TUNED = {"pyopencl": "pyopencl_template_tuned", "cupy": "cupy_template_tuned", "pycuda": "pycuda_template_tuned"}


def rendered(source, **values):
    text = (FOLDER.path / source).read_text(encoding="utf-8")
    return Template(text, trim_blocks=True, lstrip_blocks=True).render(values)


def sizes(block, unroll):
    """Return sizes of 0, 1, and just below, at and above one, two and three blocks."""
    whole = block * unroll
    return sorted({0, 1, *(blocks * whole + more for blocks in (1, 2, 3) for more in (-1, 0, 1))})


@pytest.mark.parametrize("source", ["scale.cl.jinja", "scale.cu.jinja"])
@pytest.mark.parametrize("unroll", UNROLL)
def test_as_many_statements_as_elements(source, unroll):
    text = rendered(source, real="float", block_size=64, unroll=unroll)
    fast = text.partition("} else")[0]
    assert fast.count("factor *") == unroll
    assert all(f"x[i + {64 * k}]" in fast for k in range(unroll))
    assert "{" + "%" not in text
    assert "for (" not in fast


def check(run, name, dtype, block, unroll):
    for size in sizes(block, unroll):
        inputs = {"factor": np.dtype(dtype).type(3), "x": np.arange(size, dtype=dtype)}
        (result,) = run(name, dtype, inputs, block, size, unroll=unroll)
        assert np.array_equal(result, 3 * inputs["x"]), size


@pytest.mark.slow
@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize(("block", "unroll"), [(1, 1), (5, 2), (33, 4), (5, 8)])
@pytest.mark.parametrize("name", ["cupy_raw_template", "pycuda_template"])
def test_cuda_template_on_the_host(run, name, block, unroll, dtype):
    check(run, name, dtype, block, unroll)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize(("block", "unroll"), [*itertools.product((1, 32), UNROLL), (7, 2)])
def test_opencl_template(run, block, unroll, dtype):
    check(run, "pyopencl_template", dtype, block, unroll)


@pytest.mark.parametrize("backend", TUNED)
def test_tuned_is_the_template_with_what_the_sweep_found(backend):
    asked = []
    best = {"block_size": 64, "unroll": 4}
    given = SimpleNamespace(tuned=best, prepared=lambda name, **pair: asked.append((name, pair)) or "run")
    module = discovery.import_file(FOLDER.implementations[TUNED[backend]].path)
    assert module.prepare(given) == "run"
    assert asked == [(TEMPLATES[backend], best)]


@pytest.mark.parametrize("backend", TUNED)
def test_whoever_changes_a_template_changes_what_is_tuned(backend):
    """The sources of a tuned implementation, and so its journal key, include the template and its Python file."""
    template, tuned = FOLDER.implementations[TEMPLATES[backend]], FOLDER.implementations[TUNED[backend]]
    assert {template.path.name, *template.sources} <= set(tuned.sources)
    assert tuned.tuned_by == template.name
    assert tuned.parameters == {}
    assert set(template.parameters) == {"block_size", "unroll"}
