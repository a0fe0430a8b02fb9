"""Tests with implementations that cheat or err, one per file: none is `ok`, but all correct ones beside them are."""

import platform
import shutil
from pathlib import Path

import pytest
from bench import KERNEL, Bench

from accelbench.kernels import catalog

HERE = Path(__file__).parent
TRICKS, HEALTHY = (sorted(file.stem for file in (HERE / name).glob("*.py")) for name in ("tricks", "healthy"))
TOLD = {
    "numpy_cached_by_all_elements": "reuses results of earlier calls",
    "numpy_patches_the_clock": "the implementation replaced time.perf_counter",
    "numpy_patches_our_clock": "the implementation replaced accelbench.worker.clock.perf_counter",
    "numpy_patches_timeit": "the implementation replaced Timer.timeit",
    "numpy_patches_numpy": "the implementation replaced numpy.abs",
    "numpy_patches_a_timer": "the implementation replaced a timer of the worker's clock",
    "numpy_patches_an_object": "the implementation replaced Clock.sample",
    "numpy_changes_its_input": "it changed its input x",
    "numpy_cached_by_content": "reuses results of earlier calls",
    "numpy_cached_in_files": "reuses results of earlier calls",
    "numpy_changes_a_threads_policy": "the implementation changed its priority, scheduling policy or cores",
    "numpy_changes_its_priority": "the implementation changed its priority, scheduling policy or cores",
    "numpy_computes_after_a_pause": "skips calls",
    "numpy_ends_the_loop": "calls made 1",
    "numpy_lazy_array": "run returned a Lazy",
    "numpy_lazy_interface": "run returned a Lazy",
    "numpy_lazy_list": "run returned a Lazy",
    "numpy_patches_a_code_object": "the implementation replaced the code of Clock.sample",
    "numpy_patches_a_loop": "the implementation replaced a timer of the worker's clock",
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory, described):
    bench = Bench(tmp_path_factory.mktemp("tricks"), described)
    bench.settings["protocol"] |= {
        "repetitions": 2,
        "timeout_s": 60.0,
        "startup": False,
        "long_call_s": 0.5,
        "sample_s": 0.002,
    }
    return bench


@pytest.fixture(scope="module")
def measured(bench):
    for name in ("tricks", "healthy"):
        shutil.copytree(HERE / name, bench.folder, dirs_exist_ok=True)
    catalog._load.cache_clear()
    return bench.measure()


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_found_out(measured, name):
    assert measured[name].outcome == "wrong_result", measured[name].reason
    assert TOLD.get(name, "elements differ") in measured[name].reason


@pytest.mark.parametrize("name", [*HEALTHY, "numpy_multiply"])
def test_a_healthy_one_beside_them_is_right(measured, name):
    assert measured[name].outcome == "ok", measured[name].reason


LOW = {
    "numpy_tensor_float": "(a.view('u4') & 0xFFFFE000).view('f4') @ (b.view('u4') & 0xFFFFE000).view('f4')",
    "numpy_half": "np.einsum('ik,kj->ij', a.astype('f2'), b.astype('f2'))",
    "numpy_single": "a @ b",
}


def test_lower_precision_than_declared_is_wrong(tmp_path, described):
    """Mantissas of 10 bits, as in TF32, and sums in float16 are detected. Inputs of integers would not reveal TF32."""
    bench = Bench(tmp_path, described)
    kernel = (HERE.parents[1] / "kernels" / "matmul" / "kernel.py").read_text()
    bench.write("kernel.py", kernel.replace('baseline="numpy_matmul"', 'baseline="numpy_multiply"'))
    bench.write("numpy_multiply.py", "import numpy as np\n\n\ndef run(a, b, c):\n    np.matmul(a, b, out=c)\n")
    for name, expression in LOW.items():
        bench.write(f"{name}.py", f"import numpy as np\n\n\ndef run(a, b, c):\n    c[:] = {expression}\n")
    bench.settings |= {"kernels": {"doubling": {"sizes": [64], "dtypes": ["float32"]}}}
    found = bench.measure()
    assert {name: found[name].outcome for name in LOW} == {
        "numpy_tensor_float": "wrong_result",
        "numpy_half": "wrong_result",
        "numpy_single": "ok",
    }


FLUSHING = """
void twice(const double *x, double *y, long n)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
    for (long i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
"""
CALLS_IT = """
import ctypes

SOURCES = ("twice.c",)


def prepare(case):
    twice = ctypes.CDLL(case.artifact("twice.c")).twice if isinstance(case.artifact("twice.c"), str) \\
        else case.artifact("twice.c").twice

    def run(x, y):
        twice(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data), ctypes.c_long(x.size))

    return run
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sets a register of x86-64")
def test_what_flushes_small_numbers_to_zero_is_recorded_and_does_not_judge_itself(tmp_path, described):
    """Normal numbers are correct. Subnormal numbers are compared in another process, which does not flush them."""
    bench = Bench(tmp_path, described)
    bench.write("twice.c", FLUSHING)
    bench.write("ctypes_flushing.py", CALLS_IT)
    for scale, outcome in (("1", "ok"), ("1e-310", "wrong_result")):
        bench.write("kernel.py", KERNEL.replace("rng.random(size)", f"{scale} * rng.random(size)"))
        found = bench.measure()
        assert found["numpy_multiply"].outcome == "ok"
        assert "flush_to_zero" not in found["numpy_multiply"].environment.model_extra
        assert found["ctypes_flushing"].outcome == outcome, found["ctypes_flushing"].reason
        assert outcome != "ok" or found["ctypes_flushing"].environment.flush_to_zero is True


@pytest.mark.parametrize(
    "line",
    [
        "from kernel import reference",
        "from .kernel import reference",
        "import accelbench.verify.truth",
        "from accelbench.kernels import catalog",
        "import accelbench.worker.clock",
        "from accelbench import worker",
        "import importlib; kernel = importlib.import_module('kernel')",
        "text = open(__file__.replace('numpy_peeks.py', 'kernel.py')).read()",
    ],
)
def test_what_looks_for_the_reference_is_refused_unrun(folder_of, line):
    folder = folder_of("numpy_peeks", f"{line}\n\n\ndef run(x, y):\n    y[:] = reference(x)\n")
    problem = catalog.load(folder).implementations["numpy_peeks"].problem
    assert "numpy_peeks.py:1: the implementation refers to kernel.py" in problem


def test_who_only_mentions_it_is_not_refused(folder_of):
    text = '"""As kernel.py says."""\n\nNAME = "kernel"\n\n\ndef run(x, y):\n    y[:] = 2 * x\n'
    folder = folder_of("numpy_cites", text)
    assert "numpy_cites" in catalog.load(folder).implementations


@pytest.mark.parametrize(
    ("name", "handler", "noted"),
    [("numba_falls_back", "np.multiply(x, 2.0, out=y)", True), ("numba_explains", "raise OSError from None", False)],
)
def test_a_fallback_to_numpy_is_noted(folder_of, name, handler, noted):
    text = (
        f"import numpy as np\n\ndef run(x, y):\n    try:\n        x.nothing\n    except Exception:\n        {handler}\n"
    )
    note = catalog.load(folder_of(name, text)).implementations[name].note
    assert (note is not None) == noted
    assert not noted or "it uses NumPy instead (line 6)" in note


@pytest.fixture
def folder_of(tmp_path):
    """Return a function folder_of(name, text) that makes a kernel folder with an implementation `name` of this text."""

    def write(name, text):
        (tmp_path / "doubling").mkdir()
        (tmp_path / "doubling" / "kernel.py").write_text(KERNEL)
        (tmp_path / "doubling" / "numpy_multiply.py").write_text("def run(x, y):\n    y[:] = 2 * x\n")
        (tmp_path / "doubling" / f"{name}.py").write_text(text)
        return tmp_path / "doubling"

    return write


OTHER_STREAM = """
import cupy

stream = cupy.cuda.Stream(non_blocking=True)
wait = cupy.RawKernel(r'''
extern "C" __global__ void wait() { for (int i = 0; i < 1000; i++) __nanosleep(1000); }
''', "wait")


def run(x, y):
    with stream:
        wait((1,), (1,), ())
        cupy.multiply(x, 2.0, out=y)
"""


@pytest.mark.gpu
def test_what_is_written_on_another_stream_is_wrong_or_waited_for(tmp_path, described):
    """Either the clock stops before results are complete, or it notices the other stream and waits for the device."""
    bench = Bench(tmp_path, described)
    bench.write("cupy_other_stream.py", OTHER_STREAM)
    bench.write("cupy_healthy.py", "import cupy\n\n\ndef run(x, y):\n    cupy.multiply(x, 2.0, out=y)\n")
    found = bench.measure()
    assert found["cupy_healthy"].outcome == "ok", found["cupy_healthy"].reason
    other = found["cupy_other_stream"]
    if other.outcome == "ok":
        assert other.unseen
        assert other.timings["compute"].median_s > 5e-4  # 1000 sleeps of about a microsecond
    else:  # Calls seem to end at once, so that many are queued. Waiting for them may exceed the timeout.
        assert other.outcome in ("wrong_result", "timeout"), other.reason
