"""Tests of Triton: every implementation in Triton's interpreter, code compiled for missing GPUs, and probing."""

import multiprocessing
import os
import re
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from accelbench.backends import Device, Unavailable, cuda
from accelbench.backends import torch as torch_backend
from accelbench.backends import triton as backend
from accelbench.kernels import catalog
from accelbench.model.device import DeviceLimits

pytest.importorskip("triton")
pytest.importorskip("torch")

import triton_interpreter

KERNELS = Path(__file__).parents[2] / "kernels"
FILES = sorted(KERNELS.glob("*/triton_*.py"))
NAMES = [f"{file.parent.name}/{file.stem}" for file in FILES]
BLOCKS = {1: 64, 2: (32, 16)}  # blocks of compiled kernels
SMALL = {"columns": 33, "vertices": 5, "iterations": 20, "bits": 4}  # small options, since the interpreter is slow
LONG = ("nbody", "softmax")
# The interpreter has neither CUDA's mathematical functions nor autotuning.
NOT_INTERPRETED = ("softplus/triton_jit", "saxpy/triton_autotune")


@contextmanager
def process(**variables):
    """Yield an executor with one fresh process, which has these environment variables."""
    with (
        pytest.MonkeyPatch.context() as environment,
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool,
    ):
        for name, value in variables.items():
            environment.setenv(name, value)
        pool.submit(os.getpid).result()
        yield pool


@pytest.fixture(scope="module")
def interpreter():
    with process(TRITON_INTERPRET="1") as pool:
        yield pool


@pytest.fixture(scope="module")
def compiler(tmp_path_factory):
    with process(TRITON_INTERPRET="0", TRITON_CACHE_DIR=str(tmp_path_factory.mktemp("triton"))) as pool:
        yield pool


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_INTERPRETED])
def test_interpreted(interpreter, name):
    file = KERNELS / name
    spec = catalog.load(file.parent).spec
    options = {name: value for name, value in SMALL.items() if name in spec.options}
    long = file.parent.name in LONG
    problems = triton_interpreter.FEW if long else triton_interpreter.PROBLEMS[spec.block_dimensions]
    task = interpreter.submit(triton_interpreter.interpret, file.parent, file.stem, problems, **options)
    assert task.result() >= 2


@pytest.mark.parametrize(
    ("name", "option"), [("softmax/triton_jit", {"columns": 4096}), ("histogram/triton_histogram", {"bits": 13})]
)
def test_what_registers_do_not_hold_is_unsupported(interpreter, name, option):
    file = KERNELS / name
    task = interpreter.submit(triton_interpreter.interpret, file.parent, file.stem, ((1, 32),), **option)
    assert task.result() == 0


def compiled(compiler, file, dtype, *, capability=90, block=None):
    """Return the PTX of each kernel that an implementation launches."""
    block = block or BLOCKS[catalog.load(file.parent).spec.block_dimensions]
    how = {"capability": capability, "block": block}
    return compiler.submit(triton_interpreter.compiled_for, file.parent, file.stem, dtype, **how).result()


@pytest.mark.parametrize("capability", [90, pytest.param(80, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_compiles(compiler, file, capability):
    for dtype in catalog.load(file.parent).spec.dtypes:
        texts = compiled(compiler, file, dtype, capability=capability)
        assert texts
        assert all(f".target sm_{capability}" in text for text in texts)


@pytest.mark.parametrize("name", ["nbody", "black_scholes", "mandelbrot", "scale", "softmax"])
def test_blocks_have_the_threads_that_are_swept(compiler, name):
    swept = catalog.load(KERNELS / name).implementations["triton_jit"].parameters["num_warps"]
    (text,) = compiled(compiler, KERNELS / name / "triton_jit.py", "float64")
    assert len(swept) > 1
    assert re.search(r"\.(?:req|max)ntid (\d+)", text)[1] == str(32 * swept[0])


@pytest.mark.parametrize("kernel", ["saxpy", "scale", "nbody"])
def test_numbers_are_not_rounded_to_single_precision(compiler, kernel):
    """Numbers are passed as float64, although Triton's default for a Python float has 32 bits."""
    (text,) = compiled(compiler, KERNELS / kernel / "triton_jit.py", "float64")
    assert ".param .f64" in text
    assert "f32" not in text


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_places_beyond_32_bits_are_found(file):
    """Indices are computed in 64 bits, as Triton's program numbers have 32 bits and their products could overflow."""
    wraps = re.findall(r"program_id\(\d\) \* (?!COLUMNS)", file.read_text(encoding="utf-8"))
    assert not wraps or file.parent.name in ("inside_polygon", "monte_carlo_pi")  # these check their number of programs


# probing and launch facts


@pytest.fixture
def gpu(monkeypatch):
    limits = DeviceLimits(max_block_size=1024, max_block_shape=[1024, 1024, 64], compute_units=132)
    found = [Device("cpu"), Device("NVIDIA Pretence", "gpu", {"device": 0}, limits)]
    monkeypatch.setattr(cuda, "driver", lambda: None)
    monkeypatch.setattr(torch_backend, "probe", lambda name: found)


@pytest.mark.usefixtures("gpu")
def test_blocks_are_elements_and_may_be_more_than_a_gpu_has_threads():
    (device,) = backend.probe("triton")
    assert device.name == "NVIDIA Pretence"
    assert device.device_limits == DeviceLimits(max_block_size=1 << 20, compute_units=132)


@pytest.mark.usefixtures("gpu")
def test_a_missing_compiler_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(Unavailable, match=r"C compiler .*: apt install gcc"):
        backend.probe("triton")


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("at 3:8: arange's range must be a power of 2", "unsupported"),
        ("out of resource: shared memory, Required: 300000, Hardware limit: 232448", "unsupported"),
        ("CUDA out of memory. Tried to allocate 16 GiB", "out_of_memory"),
        ("another", None),
    ],
)
def test_what_triton_says_is_understood(words, outcome):
    session = SimpleNamespace(REASONS=(*backend.REASONS, *cuda.REASONS))
    told = backend.Session.explain(session, RuntimeError(words))
    assert (told and told[0]) == outcome


def test_a_block_that_is_no_power_of_two_is_refused_in_these_words(compiler):
    with pytest.raises(Exception, match="range must be a power of 2"):
        compiled(compiler, KERNELS / "copy" / "triton_jit.py", "float64", block=33)


def test_launch_facts_are_those_of_the_kernel_compiled_last():
    facts = {"n_regs": 40, "n_spills": 2, "metadata": SimpleNamespace(shared=4096, num_warps=8)}
    kernel = SimpleNamespace(device_caches={0: ({"first": None, "last": SimpleNamespace(**facts)}, "target")})
    session = object.__new__(backend.Session)
    limits = {"blocks_per_unit": 32, "threads_per_unit": 2048, "registers_per_unit": 65536}
    limits |= {"shared_memory_per_unit_bytes": 233472, "shared_memory_reserved_bytes": 1024}
    session._limits = SimpleNamespace(**limits)
    for each in (kernel, SimpleNamespace(fn=kernel)):  # a kernel of triton.jit, and the same in triton.autotune
        found = session.attributes(each)
        assert (found.registers, found.local_bytes, found.shared_bytes) == (40, 8, 4096)
        # 65536 registers suffice for 6 blocks of 8 warps with 40 registers a thread: 48 of 64 warps
        assert session.occupancy(each, found, threads=1024, shared_bytes=0) == 0.75
    assert session.attributes(SimpleNamespace(device_caches={})) is None
    assert session.attributes(print) is None


def test_what_triton_compiles_is_kept_where_launch_facts_look():
    import triton

    assert hasattr(triton.jit(nothing), "device_caches")


def nothing(x):
    pass
