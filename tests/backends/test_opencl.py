"""The OpenCL backend's share of transfers and errors, on whatever device there is."""

import numpy as np
import pytest

from accelbench.backends import Unavailable, opencl

SOURCE = "kernel void nothing(global float *x) { if (get_global_id(0) > 1000000) x[0] = 1; }"


@pytest.fixture(scope="module")
def device():
    pytest.importorskip("pyopencl")
    try:
        return opencl.probe("pyopencl")[0].as_dict()
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def session(device):
    opened = opencl.Session("pyopencl", device)
    yield opened
    opened.close()


def test_results_land_in_the_host_array_given(session):
    array = session.empty((100,), "float32")
    session.copy_in(array, np.arange(100, dtype="float32"))
    into = np.zeros(100, "float32")
    assert session.copy_out(array, into) is into
    assert np.array_equal(into, np.arange(100))


@pytest.mark.parametrize(("shape", "dtype"), [((), "float32"), ((0,), "float64"), ((3, 5), "int64"), ((1000,), "u1")])
def test_page_locked_arrays_are_ordinary_arrays(session, shape, dtype):
    array = session.pinned(shape, dtype)
    assert (array.shape, array.dtype) == (shape, np.dtype(dtype))
    array[...] = 3
    view = array.reshape(-1)[::-1]
    del array
    assert (view == 3).all()


def test_host_memory_is_host_memory_to_a_cpu(session, device):
    assert (device["kind"] != "cpu") == session.PINNED


def test_a_block_the_device_cannot_run_is_unsupported(session, device):
    cl = pytest.importorskip("pyopencl")
    block = device["limits"]["max_block_size"] * 2
    array = session.empty((1,), "float32")
    kernel = cl.Program(session.context, SOURCE).build().nothing
    with pytest.raises(cl.Error) as raised:
        kernel(session.queue, (block,), (block,), array.data)
    outcome, reason = session.explain(raised.value)
    assert outcome == "unsupported"
    assert "block" in reason
    assert session.explain(RuntimeError("something else")) is None
    assert session.lost() is None
