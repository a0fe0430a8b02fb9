"""scale: what its templates are turned into, and how the best of them is found and kept."""

import itertools
import sys
from functools import cache
from pathlib import Path

import numpy as np
import opencl_here
import pytest
from jinja2 import Template
from run_implementation import DECLARATIONS, CupyModule, OnDevice, PycudaModule, compiled, with_stand_ins

from accelbench import backends, discovery
from accelbench.kernels import catalog
from accelbench.worker.case import KernelCase

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "scale")
UNROLL = FOLDER.implementations["pyopencl_template"].parameters["unroll"]
TEMPLATES = {"pyopencl": "pyopencl_template", "cupy": "cupy_raw_template", "pycuda": "pycuda_template"}
TUNED = {"pyopencl": "pyopencl_template_tuned", "cupy": "cupy_template_tuned", "pycuda": "pycuda_template_tuned"}


def rendered(source, **values):
    text = (FOLDER.path / source).read_text(encoding="utf-8")
    return Template(text, trim_blocks=True, lstrip_blocks=True).render(values)


def sizes(block, unroll):
    """None, one, and what lies just below and above one, two and three blocks."""
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


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """library(source) of CUDA C++ text, compiled for the host once."""
    home, number = tmp_path_factory.mktemp("scale"), itertools.count()
    return cache(lambda source: compiled(DECLARATIONS + source, home, f"scale_{next(number)}"))


@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize(("block", "unroll"), [(1, 1), (5, 2), (33, 4), (5, 8)])
@pytest.mark.parametrize("name", ["cupy_raw_template", "pycuda_template"])
def test_cuda_template_on_the_host(library, name, block, unroll, dtype):
    def call():
        sys.modules["cupy"].RawModule = lambda code: CupyModule(library(code))
        sys.modules["pycuda.compiler"].SourceModule = lambda source, **how: PycudaModule(library(source))
        module = module_of(name)
        for size in sizes(block, unroll):
            x, around = np.arange(size, dtype=dtype).view(OnDevice), np.full(size + 16, -1, dtype).view(OnDevice)
            run = module.prepare(case(None, size, dtype, block_size=block, unroll=unroll))
            run(np.dtype(dtype).type(3), x, around[8 : 8 + size])
            assert np.array_equal(around[8 : 8 + size], 3 * x), size
            assert (around[:8] == -1).all()
            assert (around[8 + size :] == -1).all()

    with_stand_ins(call)


@pytest.fixture(scope="module")
def session():
    return backends.modules()["pyopencl"].Session("pyopencl", opencl_here.devices()[0])


def case(session, size, dtype, **given):
    return KernelCase(
        size=size,
        dtype=dtype,
        queue=session and session.queue,
        stream=None,
        artifact=lambda source: str(FOLDER.path / source),
        **given,
    )


def module_of(name):
    return discovery.import_file(FOLDER.implementations[name].path)


@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize(("block", "unroll"), [*itertools.product((1, 32), UNROLL), (7, 2)])
def test_opencl_template(session, block, unroll, dtype):
    module = module_of("pyopencl_template")
    for size in sizes(block, unroll):
        x, y = (session.empty((size,), dtype) for _ in range(2))
        host = np.arange(size, dtype=dtype)
        session.copy_in(x, host)
        session.poison(y)
        run = module.prepare(case(session, size, dtype, block_size=block, unroll=unroll))
        run(np.dtype(dtype).type(3), x, y)
        assert np.array_equal(session.copy_out(y), 3 * host), size
        assert session.intact(y)
        for array in (x, y):
            session.release(array)


@pytest.mark.parametrize("backend", TUNED)
def test_tuned_is_the_template_with_what_the_sweep_found(backend):
    asked = []
    best = {"block_size": 64, "unroll": 4}
    given = KernelCase(tuned=best, prepared=lambda name, **pair: asked.append((name, pair)) or "run")
    assert module_of(TUNED[backend]).prepare(given) == "run"
    assert asked == [(TEMPLATES[backend], best)]


@pytest.mark.parametrize("backend", TUNED)
def test_whoever_changes_a_template_changes_what_is_tuned(backend):
    """The journal's key of the tuned variant covers the file and the template that it is made from."""
    template, tuned = FOLDER.implementations[TEMPLATES[backend]], FOLDER.implementations[TUNED[backend]]
    assert {template.path.name, *template.sources} <= set(tuned.sources)
    assert tuned.tuned_by == template.name
    assert tuned.parameters == {}
    assert set(template.parameters) == {"block_size", "unroll"}
