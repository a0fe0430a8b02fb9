"""Tests on a real GPU: if an implementation fails there, only its case fails."""

import textwrap

import pytest

from accelbench import nvidia

pytestmark = pytest.mark.gpu

CUPY = """
import cupy as cp

SOURCE = r'''
extern "C" __global__ void kernel(double *x, double *y) {{ {body} }}
'''


def prepare(case):
    kernel = cp.RawKernel(SOURCE, "kernel")

    def run(x, y):
        kernel((4,), (256,), (x, y))

    return run
"""

OPENCL = """
import pyopencl as cl


def prepare(case):
    source = "kernel void doubling(global double *x, global double *y) {{ {body} }}"
    kernel = cl.Kernel(cl.Program(case.queue.context, source).build(), "doubling")

    def run(x, y):
        kernel(x.queue, (1024,), (256,), x.data, y.data)

    return run
"""

PLANTED = {
    "cupy_right": ("cupy", None, "ok", ""),
    "cupy_illegal_address": ("cupy", "y[1ll << 40] = x[0];", "crashed", "illegal"),
    "cupy_endless": ("cupy", "while (1) y[0] = x[0] + y[1];", "timeout", "no answer"),
    "cupy_trap": ("cupy", 'asm("trap;");', "crashed", ""),
    "cupy_wrong": ("cupy", "y[threadIdx.x] = 3 * x[threadIdx.x];", "wrong_result", "of 1000 elements"),
    "cupy_too_many_threads": ("launch", None, "error", "INVALID_VALUE"),
    "cupy_exhausting": ("hungry", None, "out_of_memory", ""),
    "pyopencl_illegal_address": ("pyopencl", "y[1l << 40] = x[0];", ("crashed", "error", "out_of_memory"), ""),
    "pyopencl_endless": ("pyopencl", "while (1) y[0] = x[0] + y[1];", "timeout", "no answer"),
    "pyopencl_right": ("right", None, "ok", ""),
}

OTHERS = {
    "cupy_right": """
import cupy as cp


def run(x, y):
    cp.multiply(x, 2.0, out=y)
""",
    "pyopencl_right": """
def run(x, y):
    y[:] = 2.0 * x
""",
    "cupy_too_many_threads": """
import cupy as cp

SOURCE = 'extern "C" __global__ void kernel(double *x, double *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }'
kernel = cp.RawKernel(SOURCE, "kernel")


def run(x, y):
    kernel((1,), (4096,), (x, y))
""",
    "cupy_exhausting": """
import cupy as cp

kept = []


def run(x, y):
    while True:
        kept.append(cp.empty(1 << 33, "uint8"))
""",
}


@pytest.fixture(scope="module")
def records(shared_bench, described):
    if not described["backends"]["cupy"]["available"]:
        pytest.skip(described["backends"]["cupy"]["reason"])
    bench = shared_bench
    for name, (kind, body, *_) in PLANTED.items():
        pattern = {"cupy": CUPY, "pyopencl": OPENCL}.get(kind)
        text = OTHERS[name] if body is None else pattern.format(body=body)
        bench.write(f"{name}.py", f'"""Planted."""\n\n{textwrap.dedent(text).lstrip()}')
    bench.settings["devices"] = ["NVIDIA*"]
    return bench.measure()


@pytest.mark.parametrize("name", PLANTED)
def test_an_accident_on_the_gpu_costs_its_own_case(records, name):
    _, _, outcome, words = PLANTED[name]
    record = records[name]
    assert record.outcome in ((outcome,) if isinstance(outcome, str) else outcome), (record.outcome, record.reason)
    assert words in (record.reason or "")
    if record.outcome == "ok":
        assert record.timings["compute"].median_s > 0


def test_the_baseline_is_untouched(records):
    assert records["numpy_multiply"].outcome == "ok"


@pytest.mark.parametrize("name", ["cupy_right", "pyopencl_right"])
def test_the_energy_of_a_short_call_is_one_that_the_gpu_can_draw(records, name):
    """Energy per time is a plausible power, even if the host launches short calls without pause and keeps the GIL."""
    gpus = nvidia.describe()
    record = records[name]
    watts = record.energy_j / record.timings["compute"].median_s
    assert 20 < watts < 1.3 * max(gpu.power_limit_w for gpu in gpus), (record.energy_j, watts)
