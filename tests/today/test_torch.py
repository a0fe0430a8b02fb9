"""Tests of PyTorch on the host: tensors on guarded memory, settings, clock, and every implementation."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from solving import solve

from accelbench import config
from accelbench.backends import Device, Unavailable, cuda, cuda_driver
from accelbench.backends import torch as backend
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog
from accelbench.measure import checking, environment
from accelbench.processes.supervision import clean_environment
from accelbench.worker.problem import Call

torch = pytest.importorskip("torch")

KERNELS = Path(__file__).parents[2] / "kernels"
FILES = sorted(KERNELS.glob("*/torch_*.py"))
SIZES = (0, 1, 2, 33, 97)
# Sizes for implementations that take seconds to compile, and small values of options whose defaults are large
FEWER, SMALL = (1, 97), {"columns": 33, "taps": 5}


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return backend.Session("torch", Device("cpu"))


def _cases():
    """Yield every implementation. Most tests with torch.compile are slow, since compiling takes seconds."""
    for file in FILES:
        name = f"{file.parent.name}/{file.stem}"
        slow = file.stem == "torch_compile" and name != "softplus/torch_compile"
        yield pytest.param(file, id=name, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize("file", list(_cases()))
def test_right(file):
    options = {name: value for name, value in SMALL.items() if name in catalog.load(file.parent).spec.options}
    sizes = FEWER if file.stem == "torch_compile" else SIZES
    gc.collect()  # otherwise freeing an earlier test's session would end the inference mode of this test
    try:
        solved = solve(file.parent, file.stem, [(size, None) for size in sizes], **options)
    finally:
        torch.compiler.reset()
    assert solved


def test_enough_kernels_have_one():
    assert len({file.parent for file in FILES}) >= 20


@pytest.mark.parametrize("name", ["torch_out", pytest.param("torch_compile", marks=pytest.mark.slow)])
def test_workers_find_it_right_with_one_thread_and_with_all(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checking, "SEEDS", 1)
    monkeypatch.setattr(checking, "SIZES", (0, 1, 33))
    lines = []
    here = config.parse({}).with_every_environment()
    effective = EffectiveConfig.of(here, catalog.load(KERNELS / "saxpy"))
    assert checking.check(effective, [name], lines.append), lines
    assert "right" in lines[-1]


def test_tensors_lie_in_the_arrays_memory_within_guard_zones(session):
    array = session.empty((3, 5), "float32")
    tensor = session.argument(array)
    session.copy_in(array, np.arange(15, dtype="float32").reshape(3, 5))
    assert tensor.data_ptr() == array.ctypes.data
    assert tensor.shape == array.shape
    tensor.mul_(2)
    assert np.array_equal(session.copy_out(array), 2 * np.arange(15).reshape(3, 5))
    assert session.intact(array)
    torch.from_numpy(session._guards[id(array)][1][0])[-1] = 0  # like a kernel that writes before the array's start
    assert not session.intact(array)


@pytest.mark.parametrize(("value", "kind"), [(np.float32(1.5), float), (np.float64(0.1), float), (np.int64(3), int)])
def test_numbers_are_pythons(session, value, kind):
    assert session.argument(value) == value
    assert type(session.argument(value)) is kind


def test_tensors_that_run_returns_are_read(session):
    assert session.copy_out(torch.tensor(2.5, dtype=torch.float64)) == 2.5
    into = np.zeros(3, "float32")
    assert session.copy_out(torch.arange(3), into) is into
    assert np.array_equal(into, [0, 1, 2])
    assert session.copy_out(7) == 7


def test_neither_autograd_nor_tf32(session):
    weight = torch.nn.Parameter(torch.ones(3))
    assert not (weight * 2).requires_grad
    assert session.settings()["torch_grad"] == "inference mode"
    assert session.settings()["torch_tf32"] is False
    assert session.settings()["torch_float32_matmul_precision"] == "highest"


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_are_those_of_the_case(monkeypatch, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
    assert backend.Session("torch", Device("cpu")).settings()["torch_threads"] == torch.get_num_threads() == threads


def test_memory_exhausted_is_recognised(session):
    with pytest.raises(RuntimeError) as raised:
        torch.empty(1 << 60, dtype=torch.uint8)
    assert session.explain(raised.value)[0] == "out_of_memory"
    assert session.explain(ValueError("another")) is None


@pytest.mark.parametrize("expression", ["torch.atan2(x, y, out=z)", "torch.sin(x, out=z)"])
def test_its_own_timer_agrees(session, expression):
    """The session's clock agrees with torch.utils.benchmark, in alternating samples of arrays in the cache."""
    from torch.utils.benchmark import Timer

    x, y, z = (session.argument(session.empty((20_000,), "float64")).fill_(number) for number in range(3))
    names = {"x": x, "y": y, "z": z, "torch": torch}
    call = Call(eval(f"lambda x, y, z: {expression}", names), {}, prepared=True)
    call.bind((x, y, z))
    ours, theirs = session.timers(call)["compute"], Timer(expression, globals=names, num_threads=1)
    mine = its = float("inf")
    for _ in range(1000):  # so that each timer has a core to itself in some samples
        mine, its = min(mine, ours(3)), min(its, theirs.timeit(3).mean)
    assert 0.96 < mine / its < 1.04, (mine, its)


def test_what_is_compiled_is_the_workers_own(tmp_path, monkeypatch):
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TORCH_COMPILE_DISABLE", "PYTORCH_ALLOC_CONF"):
        monkeypatch.setenv(name, "inherited")
    chosen = environment.variables(1, "cpu", tmp_path)
    seen = clean_environment() | chosen
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        assert Path(seen[name]).parent == tmp_path
        assert name not in environment.recorded(chosen)
    assert not {"TORCH_COMPILE_DISABLE", "PYTORCH_ALLOC_CONF"} & seen.keys()


def test_compiled_in_the_folder_given(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch.compiler.reset()
    assert torch.compile(lambda x: x * 2 + 1)(torch.ones(2000)).sum() == 6000
    assert list(tmp_path.rglob("*.so"))


COMPILE = """
import torch
from accelbench.backends import Device, torch as backend
from pathlib import Path
import sys

compiled = torch.compile(torch.sum)
backend.once(Device("cpu"), Path(sys.argv[1]))
assert compiled(torch.ones(1000)) == 1000
"""


@pytest.mark.slow
def test_instructions_are_tried_once_for_all_workers(tmp_path):
    """PyTorch writes a file .load_ok for each instruction set that it tried, but none for a compiled kernel."""
    for own in (tmp_path / "one", tmp_path / "two"):
        variables = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(own), "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", COMPILE, tmp_path / "once"], env=variables, check=True)
        kept = {file.relative_to(tmp_path / "once") for file in (tmp_path / "once").rglob("*.load_ok")}
        assert {file.relative_to(own) for file in own.rglob("*.load_ok")} == kept
        assert len(list(own.rglob("*.so"))) > len(kept), "each worker compiles the kernel itself"


def test_what_is_compiled_is_for_one_problem():
    """By default, PyTorch would compile the second size for all later sizes, without optimising for a fixed size."""
    import torch._dynamo  # imported before the Session opens, as an implementation's decorator does

    seen = []

    def noting(graph, inputs):
        seen.append([tuple(value.shape) for value in inputs if isinstance(value, torch.Tensor)])
        return graph.forward

    torch.compiler.reset()
    _session = backend.Session("torch", Device("cpu"))
    twice = torch.compile(lambda x: 2 * x, backend=noting, fullgraph=True)
    for size in range(2, 22):
        twice(torch.ones(size))
    assert seen == [[(size,)] for size in range(2, 22)]
    assert all(type(shape[0]) is int for (shape,) in seen)


# probing


def stand_in(version, init=lambda: None):
    return SimpleNamespace(__version__="2.0+x", version=SimpleNamespace(cuda=version), cuda=SimpleNamespace(init=init))


def fail():
    raise RuntimeError("The NVIDIA driver on your system is too old")


@pytest.mark.parametrize(
    ("library", "words"),
    [
        (stand_in(None), "built without CUDA: make install LOCK=torch"),
        (stand_in("12.8", fail), "PyTorch for CUDA 12.8 does not work with this driver: The NVIDIA driver on your"),
        (stand_in("12.8"), None),
    ],
)
def test_a_gpu_that_it_cannot_use_comes_with_the_reason(monkeypatch, library, words):
    monkeypatch.setattr(cuda, "importing", lambda name: library)
    monkeypatch.setattr(cuda, "devices", lambda versions: [Device("NVIDIA Pretence", "gpu", versions=versions)])
    cpu, gpu = backend.probe("torch")
    assert cpu == Device("cpu")
    assert gpu.versions == {"runtime": library.version.cuda}
    assert words in gpu.unusable if words else gpu.unusable is None


def test_without_a_driver_there_are_the_cores(monkeypatch):
    def missing(versions):
        raise Unavailable("no NVIDIA driver")

    monkeypatch.setattr(cuda, "devices", missing)
    assert backend.probe("torch") == [Device("cpu")]


def test_a_worker_of_a_gpu_sees_that_one_first():
    device = Device("NVIDIA Pretence", "gpu", {"device": 0})
    assert backend.Session.variables(device, None).items() >= cuda.Session.variables(device, None).items()
    assert "CUDA_VISIBLE_DEVICES" not in backend.Session.variables(Device("cpu"), 1)


# the GPU session, on memory of the host


class Pretended(backend.TorchOnGpu):
    """Session of a GPU on the stand-in for the driver."""

    def open(self):
        self._torch, self._mode = backend.import_torch()
        return SimpleNamespace(synchronize=lambda: None), None

    def wrap(self, pointer, shape, dtype, *, memory):
        described = SimpleNamespace(__array_interface__=cuda.interface(pointer, shape, dtype), memory=memory)
        return torch.from_numpy(np.asarray(described))

    def trim(self):
        """Do nothing, since PyTorch has no unused memory."""


@pytest.fixture
def on_pretence(tmp_path, monkeypatch):
    source = Path(__file__).parents[1] / "backends" / "pretended_driver.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source], check=True)
    monkeypatch.setattr(cuda_driver, "LIBRARY", str(tmp_path / "libcuda.so.1"))
    cuda_driver.driver.cache_clear()
    opened = Pretended("torch", Device("NVIDIA Pretence", "gpu", {"device": 0}))
    yield opened
    opened.close()
    cuda_driver.driver.cache_clear()


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int16", "int64", "uint8"])
@pytest.mark.parametrize("shape", [(1,), (3, 5), (0,), (1003,)])
def test_copies_to_a_gpu_and_back(on_pretence, shape, dtype):
    host, array = np.random.default_rng(0).integers(0, 99, shape).astype(dtype), on_pretence.empty(shape, dtype)
    host.flags.writeable = False
    on_pretence.copy_in(array, host)
    assert array.shape == shape
    assert on_pretence.argument(array) is array
    assert np.array_equal(on_pretence.copy_out(array), host)
    into = np.empty(shape, dtype)
    assert on_pretence.copy_out(array, into) is into
    assert np.array_equal(into, host)
    assert on_pretence.intact(array)


def test_a_byte_beside_a_gpus_tensor_is_noticed(on_pretence):
    array = on_pretence.empty((10,), "float64")
    np.lib.stride_tricks.as_strided(array.numpy(), (11,))[10] = 0
    assert not on_pretence.intact(array)


def test_results_and_numbers_of_a_gpu(on_pretence):
    assert on_pretence.copy_out(torch.tensor(3.5)) == 3.5
    assert on_pretence.copy_out(3) == 3
    assert type(on_pretence.argument(np.float32(1.5))) is float
    assert on_pretence.explain(RuntimeError("CUDA error: no kernel image is available"))[0] == "unsupported"
    assert "build.cuda_architectures" not in on_pretence.explain(RuntimeError("no kernel image is available"))[1]
    assert on_pretence.settings()["torch_tf32"] is False
