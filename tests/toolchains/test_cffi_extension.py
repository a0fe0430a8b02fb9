"""Tests that CFFI's extensions, from C files and from raw strings, are built, loaded and called."""

import pytest
from building import EXACT, NUMBERS, RUN, START_H, TOTAL_C, TOTAL_H, make

from accelbench import config, toolchains
from accelbench.toolchains.log import telling_line


def test_cffi_extensions_of_one_source_and_different_flags_live_in_one_process(kernel, out):
    text = f'SOURCES = ("total.c",)\nVARIANTS = {{"fast": ("-ffast-math",)}}{RUN}'
    manifest = make(kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, cffi_api_py=text), "cffi", out)
    for name, fast in (("cffi_api", 0), ("cffi_api_fast", 1)):
        entry = manifest.find(name, "total.c")
        assert entry.outcome == "ok", entry.log
        module = toolchains.open_artifact(entry, out, "cffi")
        assert module.lib.total(module.ffi.from_buffer("double[]", NUMBERS), len(NUMBERS)) == EXACT
        assert module.lib.fast() == fast


def test_cffi_needs_a_header_that_cdef_can_read(kernel, out):
    folder = kernel(
        total_c=TOTAL_C, total_h="#define N 3\n#include <x.h>\n", cffi_api_py=f'SOURCES = ("total.c",){RUN}'
    )
    log = make(folder, "cffi", out).find("cffi_api", "total.c").log
    assert telling_line(log).startswith("total.h: cannot parse")
    assert "prototypes" in telling_line(log)
    (folder.path / "total.h").unlink()
    assert "total.h is missing" in make(folder, "cffi", out).find("cffi_api", "total.c").log


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
        assert entry.outcome == "ok", entry.log
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
def test_raw_string_that_is_faulty_is_a_failed_build(kernel, out, text, words):
    entry = make(kernel(cffi_raw_py=text), "cffi", out).find("cffi_raw", "cffi_raw.py")
    assert entry.outcome == "build_failed"
    assert words in entry.log


HARMS = {
    "ends": ("import os; os._exit(0)", "2: the process that translates the source ended with exit status 0"),
    "fails": (
        "import os; print('so be it'); os._exit(3)",
        "2: the process that translates the source ended with exit status 3",
    ),
    "crashes": ("import ctypes; ctypes.string_at(0)", "2: the process that translates the source died of SIGSEGV"),
    "throws": ("raise BaseException('no')", "2: translating it failed: BaseException: no"),
    "fills": ("b'x' * 10**10", "2: translating it needs more memory than the limit (build.memory_gb)"),
}


def raw_string(name, harm):
    text = RAW.replace("cffi_raw.py", f"cffi_{name}.py").replace('{"fast": ("-ffast-math",)}', "{}")
    return {f"cffi_{name}_py": text.replace("import cffi\n", f"import cffi\n{harm}\n")}


def test_raw_string_that_harms_its_process_costs_its_own_artifact(kernel, out):
    kernel(cffi_raw_py=RAW)
    for name, (harm, _) in HARMS.items():
        folder = kernel(**raw_string(name, harm))
    manifest = make(folder, "cffi", out)
    for name, (_, told) in HARMS.items():
        entry = manifest.find(f"cffi_{name}", f"cffi_{name}.py")
        assert entry.outcome == "build_failed"
        assert telling_line(entry.log) == f"cffi_{name}.py:{told}"
    assert manifest.find("cffi_raw", "cffi_raw.py").outcome == "ok"


@pytest.mark.slow
def test_translation_without_end_is_stopped_and_told_with_its_line(kernel, out):
    folder = kernel(
        cython_power_pyx="cimport cython\nDEF N = sum(range(10**15))\ndef run():\n    return N\n",
        **raw_string("loop", "__import__('time').sleep(1e6)"),
        **raw_string("sum", "sum(range(10**15))"),
        **raw_string("calls", "f = lambda n: n < 2 or f(n - 1) + f(n - 2); all(f(9) for _ in iter(int, 1))"),
    )
    for toolchain, places in (
        ("cffi", ["cffi_calls.py:2", "cffi_loop.py:2", "cffi_sum.py:2"]),
        ("cython", ["cython_power.pyx"]),
    ):
        entries = make(folder, toolchain, out, config.Build(timeout_s=3)).artifacts
        told = [telling_line(entry.log) for entry in entries]
        assert told == [f"{place}: the compiler was stopped after 3 s (build.timeout_s)" for place in places]
