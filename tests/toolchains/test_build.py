"""Builds are real: small planted sources are compiled, loaded and judged by their results."""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path

import opencl_here
import psutil
import pytest
from run_implementation import build_flags

from accelbench import config, toolchains
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.store import files
from accelbench.toolchains.log import telling_line

CONFIG = config.Build()

TOTAL_H = "double total(const double *x, int64_t n);\nint fast(void);\n"
TOTAL_C = """
#include <stdint.h>
#include "total.h"
#include "start.h"
double total(const double *x, int64_t n)
{
    double sum = START;
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
#ifdef __FAST_MATH__
int fast(void) { return 1; }
#else
int fast(void) { return 0; }
#endif
"""
START_H = "#define START 0.0\n"
RUN = "\n\ndef run(x):\n    pass\n"
PYX = """VARIANTS = {"fast": ("-ffast-math",)}

cdef extern from *:
    '''
    #ifdef __FAST_MATH__
    #define IS_FAST 1
    #else
    #define IS_FAST 0
    #endif
    '''
    int IS_FAST


def run(const double[::1] x):
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum


def fast():
    return IS_FAST
"""
NUMBERS = array("d", [0.5, 1.25, -3.0, 1024.0])
EXACT = 1022.75


@pytest.fixture
def kernel(tmp_path):
    """A function that plants files in a kernel folder (with a space in its path) and reads its implementations."""
    path = tmp_path / "my kernels" / "total"
    path.mkdir(parents=True)

    def plant(**texts):
        for name, text in texts.items():
            stem, _, suffix = name.rpartition("_")
            (path / f"{stem}.{suffix}").write_text(text)
        found = [
            i for f in sorted(path.iterdir()) if f.suffix in (".py", ".pyx") for i in catalog.read_implementation(f)
        ]
        return catalog.KernelFolder("total", path, None, {}, {i.name: i for i in found})

    return plant


@pytest.fixture
def c_kernel(kernel):
    return kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, ctypes_c_py=f'SOURCES = ("total.c",){RUN}')


@pytest.fixture
def out(tmp_path_factory):
    """A kernel's build folder, beside those of the other tests, as kernels lie beside each other."""
    results = tmp_path_factory.getbasetemp() / "my results"
    results.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(dir=results))


def make(folder, toolchain, out, settings=None, devices=()):
    """Build, store the manifest as the pipeline does, and load it again."""
    path = out / f"{toolchain}.json"
    files.write_json(path, toolchains.build(folder, toolchain, settings or build_flags(toolchain), devices, out))
    return toolchains.load(path)


def total(library):
    library.total.restype = ctypes.c_double
    buffer = (ctypes.c_double * len(NUMBERS))(*NUMBERS)
    return library.total(buffer, ctypes.c_int64(len(NUMBERS)))


def folders(out, toolchain):
    return {path.name: path.stat().st_mtime_ns for path in (out / toolchain).iterdir()}


def test_shared_library_computes_the_exact_sum(c_kernel, out):
    entry = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert entry["outcome"] == "ok", entry["log"]
    assert total(ctypes.CDLL(toolchains.open_artifact(entry, out, "c"))) == EXACT
    assert not Path(entry["path"]).is_absolute()
    assert entry["command"].startswith("gcc -shared -fPIC -O3 ")
    assert str(out) not in json.dumps(entry), "results must not depend on the folder they were made in"


def test_a_variant_is_compiled_with_its_flags_and_loads_beside_the_plain_one(kernel, out):
    text = f'SOURCES = ("total.c",)\nVARIANTS = {{"fast": ("-ffast-math",)}}{RUN}'
    folder = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, ctypes_c_py=text)
    manifest = make(folder, "c", out)
    libraries = [
        ctypes.CDLL(toolchains.open_artifact(manifest.find(name, "total.c"), out, "c"))
        for name in ("ctypes_c", "ctypes_c_fast")
    ]
    assert [library.fast() for library in libraries] == [0, 1]
    assert [total(library) for library in libraries] == [EXACT, EXACT]


def test_configured_flags_reach_the_compiler(c_kernel, out):
    settings = config.Build(cflags=("-O1", "-ffast-math"))
    entry = make(c_kernel, "c", out, settings).find("ctypes_c", "total.c")
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).fast() == 1


def test_equal_sources_and_flags_share_one_library(kernel, out):
    folder = kernel(
        total_c=TOTAL_C,
        total_h=TOTAL_H,
        start_h=START_H,
        ctypes_c_py=f'SOURCES = ("total.c",){RUN}',
        cffi_abi_py=f'TOOLCHAIN = "c"\nSOURCES = ("total.c",){RUN}',
    )
    manifest = make(folder, "c", out)
    assert manifest.find("ctypes_c", "total.c")["path"] == manifest.find("cffi_abi", "total.c")["path"]
    assert len(folders(out, "c")) == 1


def test_openmp_is_linked(kernel, out):
    source = "#include <omp.h>\nint threads(void) { return omp_get_max_threads(); }\n"
    folder = kernel(total_c=source, ctypes_openmp_py=f'SOURCES = ("total.c",)\nFLAGS = ("-fopenmp",){RUN}')
    entry = make(folder, "c", out).find("ctypes_openmp", "total.c")
    assert entry["outcome"] == "ok", entry["log"]
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).threads() >= 1


def test_cplusplus_source_goes_to_the_cplusplus_compiler(kernel, out):
    source = '#include <vector>\nextern "C" int size() { return (int)std::vector<int>(7).size(); }\n'
    folder = kernel(total_cpp=source, ctypes_cpp_py=f'SOURCES = ("total.cpp",){RUN}')
    entry = make(folder, "c", out).find("ctypes_cpp", "total.cpp")
    assert entry["command"].startswith("g++ ")
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).size() == 7


def test_nothing_changed_builds_nothing_even_without_the_old_manifest(c_kernel, out):
    first = make(c_kernel, "c", out)
    before = folders(out, "c")
    (out / "c.json").unlink()
    assert make(c_kernel, "c", out) == first
    assert folders(out, "c") == before


def test_a_changed_header_rebuilds_and_an_unrelated_file_does_not(c_kernel, out):
    first = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    (c_kernel.path / "other.h").write_text("#define START 5.0\n")
    (c_kernel.path / "start.h").touch()
    assert make(c_kernel, "c", out).find("ctypes_c", "total.c") == first
    (c_kernel.path / "start.h").write_text("#define START 100.0\n")
    second = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert second["recipe"] != first["recipe"]
    assert total(ctypes.CDLL(toolchains.open_artifact(second, out, "c"))) == EXACT + 100
    assert len(folders(out, "c")) == 1, "the artefact nobody asks for any more is deleted"


def test_adding_a_file_builds_only_that(c_kernel, kernel, out):
    make(c_kernel, "c", out)
    before = folders(out, "c")
    folder = kernel(two_c="int two(void) { return 2; }\n", ctypes_two_py=f'SOURCES = ("two.c",){RUN}')
    entry = make(folder, "c", out).find("ctypes_two", "two.c")
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).two() == 2
    after = folders(out, "c")
    assert {name: after[name] for name in before} == before
    assert len(after) == 2


def test_a_build_killed_half_way_does_not_count_as_built(c_kernel, out):
    entry = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    artifact = out / entry["path"]
    half = artifact.parent.with_name(f".building-{artifact.parent.name}-1")
    artifact.parent.rename(half)
    again = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert total(ctypes.CDLL(toolchains.open_artifact(again, out, "c"))) == EXACT
    assert not half.exists()


def test_a_deleted_artefact_is_built_again_and_named_if_opened(c_kernel, out):
    manifest = make(c_kernel, "c", out)
    entry = manifest.find("ctypes_c", "total.c")
    (out / entry["path"]).unlink()
    with pytest.raises(InputError, match="gone"):
        toolchains.open_artifact(entry, out, "c")
    make(c_kernel, "c", out)
    assert total(ctypes.CDLL(toolchains.open_artifact(entry, out, "c"))) == EXACT


def test_compiler_words_are_kept_and_the_others_are_built(c_kernel, kernel, out):
    folder = kernel(bad_c="int bad(void) { return undeclared; }\n", ctypes_bad_py=f'SOURCES = ("bad.c",){RUN}')
    manifest = make(folder, "c", out)
    entry = manifest.find("ctypes_bad", "bad.c")
    assert entry["outcome"] == "build_failed"
    assert "bad.c:1" in entry["log"]
    assert "undeclared" in telling_line(entry["log"])
    assert entry["path"] is None
    assert manifest.find("ctypes_c", "total.c")["outcome"] == "ok"
    with pytest.raises(InputError, match="undeclared"):
        toolchains.open_artifact(entry, out, "c")


def test_an_undefined_symbol_fails_when_built_not_when_loaded(kernel, out):
    folder = kernel(
        bad_c="int other(void);\nint bad(void) { return other(); }\n", ctypes_bad_py=f'SOURCES = ("bad.c",){RUN}'
    )
    entry = make(folder, "c", out).find("ctypes_bad", "bad.c")
    assert entry["outcome"] == "build_failed"
    assert "undefined reference to `other'" in telling_line(entry["log"])


@pytest.mark.parametrize(("toolchain", "name"), [("c", "ctypes_c"), ("cffi", "cffi_api"), ("cython", "cython_typed")])
def test_a_missing_compiler_is_a_failed_build_that_says_what_to_do(kernel, out, toolchain, name):
    texts = {"cython_typed_pyx": PYX} if toolchain == "cython" else {f"{name}_py": f'SOURCES = ("total.c",){RUN}'}
    folder = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, **texts)
    settings = config.Build(cc="no-such-gcc")
    source = "cython_typed.pyx" if toolchain == "cython" else "total.c"
    entry = make(folder, toolchain, out, settings).find(name, source)
    assert entry["outcome"] == "build_failed"
    assert "no-such-gcc not found: install no-such-gcc" in entry["log"]
    assert "set build.cc" in entry["log"]


BOMB = "#define A0 1,\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(30)) + "int x[] = { A30 };\n"


def test_a_compiler_that_eats_memory_is_a_failed_build(c_kernel, kernel, out):
    folder = kernel(bomb_c=BOMB, ctypes_bomb_py=f'SOURCES = ("bomb.c",){RUN}')
    manifest = make(folder, "c", out, config.Build(memory_gb=0.1))
    entry = manifest.find("ctypes_bomb", "bomb.c")
    assert entry["outcome"] == "build_failed"
    assert telling_line(entry["log"]) == "the compiler ran out of memory: it may fill 0.1 GB (build.memory_gb)"
    assert manifest.find("ctypes_c", "total.c")["outcome"] == "ok"


def test_a_compiler_that_hangs_is_stopped_with_all_it_started(c_kernel, out, tmp_path):
    seconds = f"1{time.monotonic_ns()}"
    compiler = tmp_path / "slow-gcc"
    compiler.write_text(
        f"#!/bin/bash\n[ $1 = --version ] && exec gcc --version\necho warming up\nsetsid sleep {seconds} & wait\n"
    )
    compiler.chmod(0o755)
    entry = make(c_kernel, "c", out, config.Build(cc=str(compiler), timeout_s=0.5)).find("ctypes_c", "total.c")
    assert entry["outcome"] == "build_failed"
    assert telling_line(entry["log"]) == "the compiler was stopped after 0.5 s (build.timeout_s)"
    assert "warming up" in entry["log"]
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", seconds]]


def test_what_a_killed_compiler_leaves_lies_in_the_builds_folder_and_goes(c_kernel, out, tmp_path, monkeypatch):
    temporary, compiler = tmp_path / "temporary", tmp_path / "cc"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    compiler.write_text(
        "#!/bin/sh\n[ $1 = --version ] && exec gcc --version\nmktemp; mktemp -d; echo in $TMPDIR\nkill -9 $$\n"
    )
    compiler.chmod(0o755)
    entry = make(c_kernel, "c", out, config.Build(cc=str(compiler))).find("ctypes_c", "total.c")
    assert "SIGKILL" in entry["log"]
    assert f"in {out}" in entry["log"]
    assert list(temporary.iterdir()) == list((out / "c").iterdir()) == []
    assert os.environ["TMPDIR"] == str(temporary)


def test_a_process_keeps_its_own_folder_for_temporary_files_after_a_build(c_kernel, out, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", None)  # as in a process that has not asked for it yet
    make(c_kernel, "c", out)
    assert Path(tempfile.gettempdir()).is_dir()


def test_its_time_and_memory_are_no_part_of_a_recipe(c_kernel):
    implementation = c_kernel.implementations["ctypes_c"]
    limited = config.Build(timeout_s=1.0, memory_gb=1.0)
    recipes = {toolchains.recipe(implementation, "total.c", settings, "gcc 12") for settings in (CONFIG, limited)}
    assert len(recipes) == 1


def test_an_output_folder_that_cannot_be_written_is_a_failed_build(c_kernel, tmp_path):
    (tmp_path / "occupied").write_text("a file")
    manifest = toolchains.build(c_kernel, "c", CONFIG, [], tmp_path / "occupied" / "total")
    assert manifest["artifacts"][0]["outcome"] == "build_failed"
    assert "Not a directory" in manifest["artifacts"][0]["log"]


def test_a_disk_that_fills_meanwhile_is_no_artefacts_fault(c_kernel, out, tmp_path):
    compiler = tmp_path / "cc"
    compiler.write_text(
        """#!/bin/sh
        case "$*" in *--version*|*-dump*) exec gcc "$@" ;; esac
        echo "/usr/bin/as: BFD: total.o: No space left on device" >&2
        exit 1
        """
    )
    compiler.chmod(0o755)
    with pytest.raises(OSError, match="No space left on device"):
        make(c_kernel, "c", out, config.Build(cc=str(compiler)))
    assert not list((out / "c").glob("*/complete.json"))


def test_cffi_extensions_of_one_source_and_different_flags_live_in_one_process(kernel, out):
    text = f'SOURCES = ("total.c",)\nVARIANTS = {{"fast": ("-ffast-math",)}}{RUN}'
    manifest = make(kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, cffi_api_py=text), "cffi", out)
    for name, fast in (("cffi_api", 0), ("cffi_api_fast", 1)):
        entry = manifest.find(name, "total.c")
        assert entry["outcome"] == "ok", entry["log"]
        module = toolchains.open_artifact(entry, out, "cffi")
        assert module.lib.total(module.ffi.from_buffer("double[]", NUMBERS), len(NUMBERS)) == EXACT
        assert module.lib.fast() == fast


def test_cffi_needs_a_header_that_cdef_can_read(kernel, out):
    folder = kernel(
        total_c=TOTAL_C, total_h="#define N 3\n#include <x.h>\n", cffi_api_py=f'SOURCES = ("total.c",){RUN}'
    )
    log = make(folder, "cffi", out).find("cffi_api", "total.c")["log"]
    assert telling_line(log).startswith("total.h: cannot parse")
    assert "prototypes" in telling_line(log)
    (folder.path / "total.h").unlink()
    assert "total.h is missing" in make(folder, "cffi", out).find("cffi_api", "total.c")["log"]


RAW = """import cffi

SOURCES = ("cffi_raw.py",)
VARIANTS = {"fast": ("-ffast-math",)}
ffibuilder = cffi.FFI()
ffibuilder.cdef("int twice(int); int fast(void); int defined(void);")
ffibuilder.set_source("raw_string", r'''
static int twice(int x) { return 2 * x; }
static int defined(void) { return GIVEN; }
#ifdef __FAST_MATH__
static int fast(void) { return 1; }
#else
static int fast(void) { return 0; }
#endif
''', define_macros=[("GIVEN", "42")])


def run(x):
    pass
"""


def test_cffi_raw_string_keeps_its_settings_and_gets_the_flags(kernel, out):
    manifest = make(kernel(cffi_raw_py=RAW), "cffi", out)
    for name, fast in (("cffi_raw", 0), ("cffi_raw_fast", 1)):
        entry = manifest.find(name, "cffi_raw.py")
        assert entry["outcome"] == "ok", entry["log"]
        lib = toolchains.open_artifact(entry, out, "cffi").lib
        assert (lib.twice(21), lib.defined(), lib.fast()) == (42, 42, fast)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RAW.replace("ffibuilder", "builder"), "no module-level `ffibuilder`"),
        (RAW.replace("import cffi\n", "import cffi, no_such_module\n"), "no_such_module"),
        (RAW.replace("int twice(int);", "int twice(;"), "twice"),
        (RAW.replace("return 2 * x", "return 2 * y"), "undeclared"),
    ],
)
def test_a_faulty_raw_string_file_is_a_failed_build(kernel, out, text, words):
    entry = make(kernel(cffi_raw_py=text), "cffi", out).find("cffi_raw", "cffi_raw.py")
    assert entry["outcome"] == "build_failed"
    assert words in entry["log"]


HARMS = {
    "ends": ("import os; os._exit(0)", "2: the process that translates it was ended with exit status 0"),
    "fails": (
        "import os; print('so be it'); os._exit(3)",
        "2: the process that translates it was ended with exit status 3",
    ),
    "crashes": ("import ctypes; ctypes.string_at(0)", "2: the process that translates it died of SIGSEGV"),
    "throws": ("raise BaseException('no')", "2: translating it failed: BaseException: no"),
    "fills": ("b'x' * 10**10", "2: it needs more memory than it may fill (build.memory_gb)"),
}


def raw_string(name, harm):
    text = RAW.replace("cffi_raw.py", f"cffi_{name}.py").replace('{"fast": ("-ffast-math",)}', "{}")
    return {f"cffi_{name}_py": text.replace("import cffi\n", f"import cffi\n{harm}\n")}


def test_a_raw_string_that_harms_the_process_it_is_imported_by_costs_its_own_artefact(kernel, out):
    kernel(cffi_raw_py=RAW)
    for name, (harm, _) in HARMS.items():
        folder = kernel(**raw_string(name, harm))
    manifest = make(folder, "cffi", out)
    for name, (_, told) in HARMS.items():
        entry = manifest.find(f"cffi_{name}", f"cffi_{name}.py")
        assert entry["outcome"] == "build_failed"
        assert telling_line(entry["log"]) == f"cffi_{name}.py:{told}"
    assert manifest.find("cffi_raw", "cffi_raw.py")["outcome"] == "ok"


def test_a_translation_without_end_is_stopped_and_told_with_its_line_where_it_has_one(kernel, out):
    folder = kernel(
        cython_power_pyx="def run():\n    return 9**9**9\n", **raw_string("loop", "__import__('time').sleep(1e6)")
    )
    for toolchain, place in (("cffi", "cffi_loop.py:2"), ("cython", "cython_power.pyx")):
        (entry,) = make(folder, toolchain, out, config.Build(timeout_s=5)).artifacts
        assert telling_line(entry["log"]) == f"{place}: the compiler was stopped after 5 s (build.timeout_s)"


def test_cython_variants_live_in_one_process_and_have_a_page(kernel, out):
    manifest = make(kernel(cython_typed_pyx=PYX), "cython", out)
    for name, fast in (("cython_typed", 0), ("cython_typed_fast", 1)):
        entry = manifest.find(name, "cython_typed.pyx")
        assert entry["outcome"] == "ok", entry["log"]
        module = toolchains.open_artifact(entry, out, "cython")
        assert (module.run(NUMBERS), module.fast()) == (EXACT, fast)
        assert "Generated by" in (out / entry["page"]).read_text()
        assert entry["command"].startswith("cython -a cython_typed.pyx && gcc ")
    assert len(folders(out, "cython")) == 2


def test_cython_sees_declarations_headers_and_sources_and_rebuilds_with_each(kernel, out):
    pyx = 'SOURCES = ("half.c",)\n\ncimport constants\nfrom half cimport half\ninclude "more.pxi"\n\n'
    folder = kernel(
        cython_c_pyx=pyx + "def run(double x):\n    return half(x) + constants.OFFSET + MORE\n",
        constants_pxd="cdef enum:\n    OFFSET = 10\n",
        half_pxd='cdef extern from "half.h":\n    double half(double)\n',
        half_h="double half(double x);\n",
        half_c='#include "half.h"\ndouble half(double x) { return x / 2; }\n',
        more_pxi="MORE = 100\n",
    )

    def run():
        entry = make(folder, "cython", out).find("cython_c", "cython_c.pyx")
        assert entry["outcome"] == "ok", entry["log"]
        return toolchains.open_artifact(entry, out, "cython").run(3.0), entry["recipe"]

    value, recipe = run()
    assert value == 111.5
    (folder.path / "more.pxi").write_text("MORE = 200\n")
    assert run()[0] == 211.5
    (folder.path / "half.c").write_text('#include "half.h"\ndouble half(double x) { return x / 4; }\n')
    assert run()[0] == 210.75
    (folder.path / "constants.pxd").write_text("cdef enum:\n    OFFSET = 20\n")
    assert run()[0] == 220.75
    (folder.path / "half.h").write_text("double half(double x);\n/* */\n")
    assert run()[1] != recipe


def test_cython_with_cplusplus_and_numpy(kernel, out):
    np = pytest.importorskip("numpy")
    pyx = """# distutils: language = c++
'''A vector of C++, an array of NumPy.'''
cimport numpy as cnp
from libcpp.vector cimport vector

cnp.import_array()


def run(cnp.ndarray[cnp.float64_t, ndim=1] x):
    cdef vector[double] copy
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        copy.push_back(x[i])
    return copy.size()
"""
    entry = make(kernel(cython_cpp_pyx=pyx), "cython", out).find("cython_cpp", "cython_cpp.pyx")
    assert entry["outcome"] == "ok", entry["log"]
    assert "g++" in entry["command"]
    assert f"numpy {np.__version__}" in entry["compiler"]
    assert toolchains.open_artifact(entry, out, "cython").run(np.zeros(5)) == 5


def test_cython_words_are_kept(kernel, out):
    pyx = PYX.replace("double sum = 0", "nonsense sum = 0")
    entry = make(kernel(cython_typed_pyx=pyx), "cython", out).find("cython_typed", "cython_typed.pyx")
    assert entry["outcome"] == "build_failed"
    assert telling_line(entry["log"]) == "cython_typed.pyx:15:9: 'nonsense' is not a type identifier"


CL = """
#include "factor.h"
#ifndef EXTRA
#define EXTRA 0
#endif
kernel void scale(global float *x) { x[get_global_id(0)] = FACTOR * x[get_global_id(0)] + EXTRA; }
"""


@pytest.fixture(scope="module")
def devices():
    return opencl_here.devices()


def test_opencl_binaries_compute_what_their_source_says(kernel, out, devices):
    import numpy as np
    import pyopencl as cl
    import pyopencl.array

    folder = kernel(
        total_cl=CL,
        factor_h="#define FACTOR 3\n",
        pyopencl_raw_py=f'SOURCES = ("total.cl",)\nVARIANTS = {{"extra": ("-DEXTRA=1",)}}{RUN}',
        pyopencl_same_py=f'SOURCES = ("total.cl",){RUN}',
    )
    manifest = make(folder, "opencl", out, devices=devices)
    assert len(folders(out, "opencl")) == 2 * len(devices), "equal source, flags and device are built once"
    for device in devices:
        queue = opencl_here.queue(device)
        for name, extra in (("pyopencl_raw", 0), ("pyopencl_raw_extra", 1), ("pyopencl_same", 0)):
            entry = manifest.find(name, "total.cl", device["name"])
            assert entry["outcome"] == "ok", entry["log"]
            binary = Path(toolchains.open_artifact(entry, out, "opencl")).read_bytes()
            program = cl.Program(queue.context, [queue.device], [binary]).build()
            x = pyopencl.array.to_device(queue, np.arange(64, dtype=np.float32))
            cl.Kernel(program, "scale")(queue, (64,), None, x.data)
            assert (x.get() == 3 * np.arange(64) + extra).all()


def test_opencl_fails_on_the_one_device_that_cannot(kernel, out, devices):
    gone = {**devices[0], "name": "unplugged", "index": {**devices[0]["index"], "device": 99}}
    folder = kernel(total_cl=CL, factor_h="#define FACTOR 3\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}')
    manifest = make(folder, "opencl", out, devices=[*devices, gone])
    assert manifest.find("pyopencl_raw", "total.cl", devices[0]["name"])["outcome"] == "ok"
    entry = manifest.find("pyopencl_raw", "total.cl", "unplugged")
    assert entry["outcome"] == "build_failed"
    assert "no device 99" in entry["log"]


def test_opencl_words_are_kept(kernel, out, devices):
    folder = kernel(
        total_cl=CL.replace("FACTOR *", "undeclared *"), factor_h="\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}'
    )
    entry = make(folder, "opencl", out, devices=devices[:1]).find("pyopencl_raw", "total.cl", devices[0]["name"])
    assert entry["outcome"] == "build_failed"
    assert "undeclared" in telling_line(entry["log"])


@pytest.mark.parametrize(
    ("log", "told"),
    [  # as compilers wrote them
        (
            "/usr/bin/ld: cannot find -lnothere: No such file or directory\ncollect2: error: ld returned 1 exit status",
            "/usr/bin/ld: cannot find -lnothere: No such file or directory",
        ),
        (
            "In file included from t.cpp:1:\nstl_algo.h:1809:14:   required from 'void std::__insertion_sort()'\n"
            "t.cpp:4:50:   required from here\nops.h:45:23: error: no match for 'operator<'\n   45 |       { error: }",
            "ops.h:45:23: error: no match for 'operator<'",
        ),
        (
            "Error(s) while linking: \nCannot find symbol undefined_fn in kernel library\nDevice failed to build",
            "Cannot find symbol undefined_fn in kernel library",
        ),
        ("ptxas fatal   : Unresolved extern function 'f'", "ptxas fatal   : Unresolved extern function 'f'"),
        (
            "ptxas error   : Entry function 'g' uses too much shared data (0xc3500 bytes, 0xc000 max)\n"
            "ptxas info    : 0 bytes gmem\nptxas info    : Compile time = 11.653 ms",
            "ptxas error   : Entry function 'g' uses too much shared data (0xc3500 bytes, 0xc000 max)",
        ),
        (
            'e.cu(1): warning #177-D: variable "unused" was declared but never referenced\n'
            '  __global__ void f() { int unused; error: }\n\ne.cu(2): error: identifier "y" is undefined\n'
            '1 error detected in the compilation of "e.cu".',
            'e.cu(2): error: identifier "y" is undefined',
        ),
        ("Traceback (most recent call last):\n  File x\nNameError: name 'a' is not defined\n\n",
         "NameError: name 'a' is not defined"),
        ("half\nthe compiling process died of SIGKILL", "the compiling process died of SIGKILL"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_line_that_names_the_cause_is_found(log, told):
    assert telling_line(log) == told


def test_a_driver_that_aborts_is_a_failed_build_with_its_words(kernel, out, devices, tmp_path, monkeypatch):
    (tmp_path / "pyopencl.py").write_text("import os\nos.write(2, b'no linker here')\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder = kernel(total_cl=CL, factor_h="\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}')
    entry = make(folder, "opencl", out, devices=devices[:1]).find("pyopencl_raw", "total.cl", devices[0]["name"])
    assert entry["outcome"] == "build_failed"
    assert "no linker here" in entry["log"]
    assert "SIGABRT" in entry["log"]


def recipe(folder, name="ctypes_c", source="total.c", settings=CONFIG):
    implementation = folder.implementations[name]
    return toolchains.recipe(implementation, source, settings, toolchains.compiler_version(implementation, settings))


def test_a_recipe_holds_what_decides_the_artefact_and_no_folder(c_kernel, tmp_path):
    first = recipe(c_kernel)
    elsewhere = tmp_path / "elsewhere" / "total"
    elsewhere.parent.mkdir()
    subprocess.run(["cp", "-r", c_kernel.path, elsewhere], check=True)
    implementation = catalog.read_implementation(elsewhere / "ctypes_c.py")[0]
    copy = catalog.KernelFolder("total", elsewhere, None, {}, {"ctypes_c": implementation})
    assert recipe(copy) == first
    assert recipe(copy, settings=config.Build(cflags=("-O2",))) != first
    assert toolchains.recipe(implementation, "total.c", CONFIG, "another compiler 1.0") != first
    (elsewhere / "start.h").write_text("#define START 1.0\n")
    assert recipe(copy) != first


def test_recipes_of_toolchains_differ(kernel):
    text = f'SOURCES = ("total.c",){RUN}'
    folder = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, ctypes_c_py=text, cffi_api_py=text)
    assert recipe(folder) != recipe(folder, "cffi_api")


def test_includes_in_a_circle_end(kernel):
    folder = kernel(
        a_h='#include "b.h"\n',
        b_h='#include "a.h"\n',
        total_c='#include "a.h"\n',
        ctypes_c_py=f'SOURCES = ("total.c",){RUN}',
    )
    first = recipe(folder)
    (folder.path / "b.h").write_text('#include "a.h"\n/* changed */\n')
    assert recipe(folder) != first


def test_toolchains_are_those_the_implementations_need(c_kernel, kernel):
    folder = kernel(cython_typed_pyx=PYX, numba_njit_py=RUN, pyopencl_array_py=RUN)
    assert toolchains.needed(folder) == ["c", "cython"]
    assert toolchains.needed(folder, ["numba_njit", "cython_typed"]) == ["cython"]
    assert toolchains.needed(folder, []) == []


def test_a_toolchain_nobody_wrote_is_a_failed_build(kernel, out):
    folder = kernel(total_cu="\n", python_cu_py=f'TOOLCHAIN = "cuda"\nSOURCES = ("total.cu",){RUN}')
    if "cuda" in toolchains.modules():
        pytest.skip("cuda is built here")
    entry = make(folder, "cuda", out).find("python_cu", "total.cu")
    assert entry["outcome"] == "build_failed"
    assert "cuda" in entry["log"]


@pytest.mark.parametrize("text", ['{"schema_version": 1, "kernel": "to', '{"schema_version": 2}', "[]"])
def test_a_manifest_that_is_cut_off_or_of_another_version_is_named(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"c\.json"):
        toolchains.load(path)


def test_opening_artefacts_imports_no_library(c_kernel, out):
    make(c_kernel, "c", out)
    code = (
        "import json, sys\nfrom accelbench import toolchains\n"
        f"entry = json.load(open({str(out / 'c.json')!r}))['artifacts'][0]\n"  # as a worker is given it
        f"toolchains.open_artifact(entry, {str(out)!r}, 'c')\n"
        "print({'numpy', 'cffi', 'Cython', 'pyopencl', 'pydantic', 'yaml', 'setuptools'} & set(sys.modules))"
    )
    package = str(Path(toolchains.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": package}
    )
    assert done.stdout.strip() == "set()", done.stderr


def test_two_builds_at_once_do_not_disturb_each_other(kernel, tmp_path):
    folder = kernel(cython_typed_pyx=PYX)
    code = (
        "import sys, pathlib\nfrom accelbench import config, toolchains\nfrom accelbench.kernels import catalog\n"
        "from accelbench.toolchains import cython_extension\n"
        "cython_extension._SHARED_FLAGS = ('-O0',)\n"  # sooner built
        f"path = pathlib.Path({str(folder.path)!r})\n"
        "found = catalog.read_implementation(path / 'cython_typed.pyx')\n"
        "folder = catalog.KernelFolder('total', path, None, {}, {i.name: i for i in found})\n"
        "manifest = toolchains.build(folder, 'cython', config.Build(cflags=('-O0',)), [], sys.argv[1])\n"
        "entry = manifest['artifacts'][0]\n"
        "import array\n"
        "print(toolchains.open_artifact(entry, sys.argv[1], 'cython').run(array.array('d', [1, 2])))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(toolchains.__file__).parents[2])}
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / name)], stdout=subprocess.PIPE, text=True, env=env)
        for name in ("one", "two")
    ]
    assert [process.communicate(timeout=300)[0].strip() for process in both] == ["3.0", "3.0"]
    assert len(list((tmp_path / ".shared").glob("accelbench_cython_*"))) == 1, "what they share is built once"
