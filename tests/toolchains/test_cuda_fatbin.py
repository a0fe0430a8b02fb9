"""Tests of real CUDA builds by nvcc and by NVRTC. They parse the built files, so that they need no GPU."""

import importlib.util
import os
import re
import shutil
import struct
from pathlib import Path

import pytest

from accelbench import config, toolchains
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation
from accelbench.processes.supervision import FURTHER
from accelbench.store import formats
from accelbench.toolchains import cuda_fatbin
from accelbench.toolchains.log import telling_line

CONFIG = config.Build()
RUN = "\n\ndef run(x):\n    pass\n"
SCALE_CU = """
#include "factor.cuh"

template <typename Real>
__device__ void scale(long long n, const Real *x, Real *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (Real)FACTOR * x[i] / (Real)3.1;
}

extern "C" __global__ void scale_float32(long long n, const float *x, float *y) { scale(n, x, y); }
extern "C" __global__ void scale_float64(long long n, const double *x, double *y) { scale(n, x, y); }
"""
FACTOR = "#define FACTOR 2.0\n"
PTX_KIND, SASS_KIND = 1, 2

HAS_NVCC = cuda_fatbin.nvcc(CONFIG) is not None
HAS_NVRTC = importlib.util.find_spec("cupy") is not None
nvcc_only = pytest.mark.skipif(not HAS_NVCC, reason="nvcc is not installed")
nvrtc_only = pytest.mark.skipif(not HAS_NVRTC, reason="cupy is not installed")


@pytest.fixture(params=[pytest.param("nvcc", marks=nvcc_only), pytest.param("nvrtc", marks=nvrtc_only)])
def route(request, monkeypatch):
    """Return the name of the compiler that the test uses, nvcc or nvrtc."""
    if request.param == "nvrtc":
        hide_nvcc(monkeypatch)
    return request.param


@pytest.fixture
def nvrtc(monkeypatch):
    hide_nvcc(monkeypatch)


def hide_nvcc(monkeypatch):
    kept = [p for p in os.environ["PATH"].split(os.pathsep) if not Path(p, "nvcc").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(kept))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)


@pytest.fixture
def kernel(tmp_path):
    """Return a function that writes files to a kernel folder, whose path has a space, and returns a KernelFolder."""
    path = tmp_path / "my kernels" / "scale"
    path.mkdir(parents=True)

    def plant(**texts):
        for name, text in texts.items():
            stem, _, suffix = name.rpartition("_")
            (path / f"{stem}.{suffix}").write_text(text)
        found = [i for f in sorted(path.glob("*.py")) for i in read_implementation(f)]
        return catalog.KernelFolder("scale", path, None, {}, {i.name: i for i in found})

    return plant


@pytest.fixture
def scale(kernel):
    implementation = f'SOURCES = ("scale.cu",){RUN}'
    return kernel(scale_cu=SCALE_CU, factor_cuh=FACTOR, cupy_raw_py=implementation, pycuda_raw_py=implementation)


def make(folder, out, settings=CONFIG):
    """Build, store the manifest like the workflow, and load it again."""
    formats.write(out / "cuda.json", toolchains.build(folder, "cuda", out, config=settings))
    return toolchains.load(out / "cuda.json")


def opened(manifest, out, name="cupy_raw", source="scale.cu"):
    entry = manifest.find(name, source)
    assert entry.outcome == "ok", entry.log
    return toolchains.open_artifact(entry, out, "cuda")


def code_in(path):
    """Return {(PTX_KIND or SASS_KIND, architecture)} of the code in a fatbin."""
    data = Path(path).read_bytes()
    magic, _, offset, length = struct.unpack_from("<IHHQ", data)
    assert magic == 0xBA55ED50
    found, end = set(), offset + length
    while offset < end:
        kind, _, header, payload = struct.unpack_from("<HHIQ", data, offset)
        found.add((kind, struct.unpack_from("<I", data, offset + 28)[0]))
        offset += header + payload
    return found


def architecture_of(cubin):
    """Return the architecture of a cubin, 80 for sm_80, from the flags of its ELF header."""
    data = Path(cubin).read_bytes()
    assert data[:4] == b"\x7fELF"
    return struct.unpack_from("<I", data, 48)[0] & 0xFF


def ptx(manifest, out, name="cupy_raw"):
    """Return NVRTC's PTX of the built scale.cu."""
    return Path(opened(manifest, out, name)).with_name("scale.ptx").read_text()


@nvcc_only
def test_nvcc_makes_one_fatbin_for_all_architectures(scale, out):
    path = opened(make(scale, out), out)
    assert path.endswith("scale.fatbin")
    assert code_in(path) == {(SASS_KIND, 80), (SASS_KIND, 90), (PTX_KIND, 90)}
    assert cuda_fatbin.choose(path, (9, 0)) == path


@nvrtc_only
@pytest.mark.usefixtures("nvrtc")
def test_nvrtc_makes_a_cubin_an_architecture_and_ptx(scale, out):
    manifest = make(scale, out)
    path = opened(manifest, out)
    for capability, architecture in (((8, 0), 80), ((8, 6), 80), ((8, 9), 80), ((9, 0), 90)):
        assert architecture_of(cuda_fatbin.choose(path, capability)) == architecture
    newer = cuda_fatbin.choose(path, (12, 0))
    text = Path(newer).read_text()
    assert ".target sm_90" in text
    assert ".entry scale_float32" in text
    assert ".entry scale_float64" in text
    assert manifest.find("cupy_raw", "scale.cu").compiler.startswith("NVRTC ")


@nvrtc_only
@pytest.mark.usefixtures("nvrtc")
def test_a_device_older_than_all_that_was_built_is_told_the_remedy(scale, out):
    path = opened(make(scale, out), out)
    with pytest.raises(
        NotImplementedError, match=r"built for sm_80, sm_90, .* is sm_75: add sm_75 to build\.cuda_arch"
    ):
        cuda_fatbin.choose(path, (7, 5))


@nvrtc_only
@pytest.mark.usefixtures("nvrtc")
def test_what_is_for_one_architecture_alone_runs_on_no_other(scale, out):
    path = opened(make(scale, out, config.Build(cuda_architectures=("sm_90a",))), out)
    assert architecture_of(cuda_fatbin.choose(path, (9, 0))) == 90
    with pytest.raises(NotImplementedError, match="sm_100"):
        cuda_fatbin.choose(path, (10, 0))


def test_both_libraries_share_one_artifact(scale, out, route):
    manifest = make(scale, out)
    first, second = (manifest.find(name, "scale.cu") for name in ("cupy_raw", "pycuda_raw"))
    assert first.outcome == "ok", first.log
    assert first.path == second.path
    assert len(list((out / "cuda").iterdir())) == 1


def test_the_compilers_report_is_kept(scale, out, route):
    log = make(scale, out).find("cupy_raw", "scale.cu").log
    for architecture in ("sm_80", "sm_90"):
        for name in ("scale_float32", "scale_float64"):
            assert re.search(rf"Compiling entry function '{name}' for '{architecture}'", log)
    assert len(re.findall(r"Used \d+ registers", log)) == 4
    assert "0 bytes spill stores" in log


@pytest.mark.slow
def test_configured_architectures_are_the_ones_built(scale, out, route):
    before = make(scale, out).find("cupy_raw", "scale.cu").recipe
    manifest = make(scale, out, config.Build(cuda_architectures=("sm_90", "sm_80", "sm_86")))
    path = opened(manifest, out)
    if route == "nvcc":
        assert code_in(path) == {(SASS_KIND, 80), (SASS_KIND, 86), (SASS_KIND, 90), (PTX_KIND, 90)}
    else:
        assert architecture_of(cuda_fatbin.choose(path, (8, 6))) == 86
    assert manifest.find("cupy_raw", "scale.cu").recipe != before


def test_an_error_is_told_in_the_compilers_words_with_its_line(kernel, out, route):
    bad = 'extern "C" __global__ void bad(double *x)\n{\n    x[0] = no_such_thing;\n}\n'
    folder = kernel(bad_cu=bad, good_cu="", cupy_bad_py=f'SOURCES = ("bad.cu",){RUN}')
    entry = make(folder, out).find("cupy_bad", "bad.cu")
    assert entry.outcome == "build_failed"
    assert telling_line(entry.log) == 'bad.cu(3): error: identifier "no_such_thing" is undefined'
    assert str(folder.path) not in entry.log
    with pytest.raises(InputError, match="no_such_thing"):
        toolchains.open_artifact(entry, out, "cuda")


def test_a_missing_header_and_an_unknown_architecture_fail_with_a_reason(scale, out, route):
    (scale.path / "factor.cuh").unlink()
    entry = make(scale, out).find("cupy_raw", "scale.cu")
    assert entry.outcome == "build_failed"
    assert "factor.cuh" in entry.log
    (scale.path / "factor.cuh").write_text(FACTOR)
    entry = make(scale, out, config.Build(cuda_architectures=("sm_10",))).find("cupy_raw", "scale.cu")
    assert entry.outcome == "build_failed"
    assert re.search(r"compute_10|sm_10|gpu-architecture", entry.log)


@nvrtc_only
@pytest.mark.usefixtures("nvrtc")
def test_variants_are_compiled_with_their_flags(kernel, out):
    """With fast mathematics, division is div.full or mul instead of div.rn."""
    text = f'SOURCES = ("scale.cu",)\nVARIANTS = {{"fast_math": ("-use_fast_math",), "six": ("-DSIX",)}}{RUN}'
    factor = "#ifdef SIX\n#define FACTOR 6.0\n#else\n#define FACTOR 2.0\n#endif\n"
    manifest = make(kernel(scale_cu=SCALE_CU, factor_cuh=factor, cupy_raw_py=text), out)
    plain, fast, six = (ptx(manifest, out, f"cupy_raw{v}") for v in ("", "_fast_math", "_six"))
    assert "div.rn.f32" in plain
    assert "div.rn.f32" not in fast
    # Compilers replace 2 x by x + x, but 6 appears as a float64 constant.
    assert "0d4018000000000000" in six.lower()
    assert "0d4018000000000000" not in plain.lower()


@nvcc_only
def test_nvcc_takes_the_same_flags(kernel, out):
    text = f'SOURCES = ("scale.cu",)\nVARIANTS = {{"fast_math": ("-use_fast_math",), "six": ("-DSIX",)}}{RUN}'
    manifest = make(kernel(scale_cu=SCALE_CU, factor_cuh=FACTOR, cupy_raw_py=text), out)
    paths = {opened(manifest, out, f"cupy_raw{v}") for v in ("", "_fast_math", "_six")}
    assert len(paths) == 3
    assert len({Path(p).read_bytes() for p in paths}) >= 2


@pytest.mark.slow
def test_a_changed_header_builds_anew_and_nothing_changed_does_not(scale, out, route):
    first = make(scale, out).find("cupy_raw", "scale.cu")
    made = (out / first.path).stat().st_mtime_ns
    assert make(scale, out).find("cupy_raw", "scale.cu") == first
    assert (out / first.path).stat().st_mtime_ns == made
    (scale.path / "factor.cuh").write_text("#define FACTOR 3.0\n")
    second = make(scale, out).find("cupy_raw", "scale.cu")
    assert second.path != first.path
    assert not (out / first.path).exists()


@nvcc_only
@pytest.mark.parametrize("variable", ["CUDA_HOME", "CUDA_PATH"])
def test_nvcc_is_found_where_the_toolkit_is(scale, out, tmp_path, monkeypatch, variable):
    real = shutil.which("nvcc") or cuda_fatbin.nvcc(CONFIG)[0]
    hide_nvcc(monkeypatch)
    (tmp_path / "toolkit" / "bin").mkdir(parents=True)
    planted = tmp_path / "toolkit" / "bin" / "nvcc"
    planted.write_text(f'#!/bin/sh\nexec "{real}" "$@"\n')
    planted.chmod(0o755)
    monkeypatch.setenv(variable, str(tmp_path / "toolkit"))
    path, release = cuda_fatbin.nvcc(CONFIG)
    assert path == str(planted)
    assert re.fullmatch(r"nvcc V\d+\.\d+\.\d+", release)
    assert opened(make(scale, out), out).endswith(".fatbin")


@nvrtc_only
def test_an_nvcc_that_does_not_work_is_passed_over(scale, out, tmp_path, monkeypatch):
    hide_nvcc(monkeypatch)
    planted = tmp_path / "bin" / "nvcc"
    planted.parent.mkdir()
    planted.write_text("#!/bin/sh\necho broken >&2\nexit 127\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", f"{planted.parent}{os.pathsep}{os.environ['PATH']}")
    assert opened(make(scale, out), out).endswith(".cubins")


@nvrtc_only
def test_nvcc_without_its_host_compiler_is_passed_over(scale, out):
    settings = config.Build(cxx="no-such-g++")
    assert opened(make(scale, out, settings), out).endswith(".cubins")


@pytest.mark.usefixtures("nvrtc")
def test_no_compiler_at_all_is_a_failed_build_that_says_what_to_do(scale, out, tmp_path, monkeypatch):
    (tmp_path / "cupy.py").write_text("raise ImportError('no CuPy in this test')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(FURTHER, "PYTHONPATH")
    cuda_fatbin._nvrtc_version.cache_clear()
    try:
        entry = make(scale, out).find("cupy_raw", "scale.cu")
    finally:
        cuda_fatbin._nvrtc_version.cache_clear()
    assert entry.outcome == "build_failed"
    assert "no usable nvcc is on PATH or in CUDA_HOME or CUDA_PATH" in entry.log
    assert "no CuPy in this test" in entry.log
    assert "pip install" in entry.log
