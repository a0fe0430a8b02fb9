"""Tests that libraries in C and C++ are built from small sources and loaded, and that their results are right."""

import ctypes
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from building import EXACT, RUN, START_H, TOTAL_C, TOTAL_H, folders, make, total

from accelbench import config, toolchains
from accelbench.errors import InputError
from accelbench.toolchains.log import telling_line


def test_shared_library_computes_the_exact_sum(c_kernel, out):
    entry = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert entry.outcome == "ok", entry.log
    assert total(ctypes.CDLL(toolchains.open_artifact(entry, out, "c"))) == EXACT
    assert not Path(entry.path).is_absolute()
    assert entry.command.startswith("gcc -shared -fPIC -O3 ")
    assert str(out) not in repr(entry), "results must not depend on the folder they were made in"


def test_variant_is_compiled_with_its_flags_and_loads_beside_the_plain_one(kernel, out):
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
    assert manifest.find("ctypes_c", "total.c").path == manifest.find("cffi_abi", "total.c").path
    assert len(folders(out, "c")) == 1


def test_openmp_is_linked(kernel, out):
    source = "#include <omp.h>\nint threads(void) { return omp_get_max_threads(); }\n"
    folder = kernel(total_c=source, ctypes_openmp_py=f'SOURCES = ("total.c",)\nFLAGS = ("-fopenmp",){RUN}')
    entry = make(folder, "c", out).find("ctypes_openmp", "total.c")
    assert entry.outcome == "ok", entry.log
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).threads() >= 1


def test_cplusplus_source_goes_to_the_cplusplus_compiler(kernel, out):
    source = '#include <vector>\nextern "C" int size() { return (int)std::vector<int>(7).size(); }\n'
    folder = kernel(total_cpp=source, ctypes_cpp_py=f'SOURCES = ("total.cpp",){RUN}')
    entry = make(folder, "c", out).find("ctypes_cpp", "total.cpp")
    assert entry.command.startswith("g++ ")
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).size() == 7


def test_undefined_symbol_fails_when_built_not_when_loaded(kernel, out):
    folder = kernel(
        bad_c="int other(void);\nint bad(void) { return other(); }\n", ctypes_bad_py=f'SOURCES = ("bad.c",){RUN}'
    )
    entry = make(folder, "c", out).find("ctypes_bad", "bad.c")
    assert entry.outcome == "build_failed"
    assert "undefined reference to `other'" in telling_line(entry.log)


def test_a_folder_that_is_mounted_noexec_is_named(c_kernel, out, monkeypatch):
    entry = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    mounted = SimpleNamespace(f_flag=os.ST_NOEXEC | os.ST_RELATIME)
    monkeypatch.setattr(os, "statvfs", lambda path: mounted)
    with pytest.raises(InputError, match=r"\.so: lies on a file system that is mounted noexec.*run --directory"):
        toolchains.open_artifact(entry, out, "c")
