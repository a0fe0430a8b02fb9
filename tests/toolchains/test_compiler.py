"""Tests of missing compilers, of compilers that hang or need too much memory, and of the cause found in a log."""

import copy
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from building import CONFIG, PYX, RUN, START_H, TOTAL_C, TOTAL_H, make

from accelbench import config, toolchains
from accelbench.toolchains import compiler
from accelbench.toolchains.log import telling_line


@pytest.mark.parametrize(("toolchain", "name"), [("c", "ctypes_c"), ("cffi", "cffi_api"), ("cython", "cython_typed")])
def test_missing_compiler_is_a_failed_build_that_says_what_to_do(kernel, out, toolchain, name):
    texts = {"cython_typed_pyx": PYX} if toolchain == "cython" else {f"{name}_py": f'SOURCES = ("total.c",){RUN}'}
    folder = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, **texts)
    settings = config.Build(cc="no-such-gcc")
    source = "cython_typed.pyx" if toolchain == "cython" else "total.c"
    entry = make(folder, toolchain, out, settings).find(name, source)
    assert entry.outcome == "build_failed"
    assert "no-such-gcc not found: install no-such-gcc" in entry.log
    assert "set build.cc" in entry.log


BOMB = "#define A0 1,\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(30)) + "int x[] = { A30 };\n"


def test_compiler_that_eats_memory_is_a_failed_build(c_kernel, kernel, out):
    folder = kernel(bomb_c=BOMB, ctypes_bomb_py=f'SOURCES = ("bomb.c",){RUN}')
    manifest = make(folder, "c", out, config.Build(memory_gb=0.1))
    entry = manifest.find("ctypes_bomb", "bomb.c")
    assert entry.outcome == "build_failed"
    assert telling_line(entry.log) == "the compiler ran out of memory: its limit is 0.1 GB (build.memory_gb)"
    assert manifest.find("ctypes_c", "total.c").outcome == "ok"


def test_compiler_that_hangs_is_stopped_with_all_it_started(c_kernel, out, tmp_path):
    seconds = f"1{time.monotonic_ns()}"
    slow = tmp_path / "slow-gcc"
    slow.write_text(
        f"#!/bin/bash\n[ $1 = --version ] && exec gcc --version\necho warming up\nsetsid sleep {seconds} & wait\n"
    )
    slow.chmod(0o755)
    entry = make(c_kernel, "c", out, config.Build(cc=str(slow), timeout_s=0.5)).find("ctypes_c", "total.c")
    assert entry.outcome == "build_failed"
    assert telling_line(entry.log) == "the compiler was stopped after 0.5 s (build.timeout_s)"
    assert "warming up" in entry.log
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", seconds]]


def test_compiler_that_does_not_say_its_version_is_ended_with_all_it_started(c_kernel, out, tmp_path, monkeypatch):
    monkeypatch.setattr(compiler, "VERSION_S", 0.5)
    seconds = f"1{time.monotonic_ns()}"
    script = tmp_path / "silent-gcc"
    script.write_text(f"#!/bin/bash\nsetsid sleep {seconds} & wait\n")
    script.chmod(0o755)
    begin = time.monotonic()
    entry = make(c_kernel, "c", out, config.Build(cc=str(script))).find("ctypes_c", "total.c")
    assert time.monotonic() - begin < 30
    assert f"{script} --version does not end within 0.5 s" in entry.log
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", seconds]]


def test_killed_compilers_files_lie_in_the_builds_folder_and_go(c_kernel, out, tmp_path, monkeypatch):
    temporary, killed = tmp_path / "temporary", tmp_path / "cc"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    killed.write_text(
        "#!/bin/sh\n[ $1 = --version ] && exec gcc --version\nmktemp; mktemp -d; echo in $TMPDIR\nkill -9 $$\n"
    )
    killed.chmod(0o755)
    entry = make(c_kernel, "c", out, config.Build(cc=str(killed))).find("ctypes_c", "total.c")
    assert "SIGKILL" in entry.log
    assert f"in {out}" in entry.log
    assert list(temporary.iterdir()) == list((out / "c").iterdir()) == []
    assert os.environ["TMPDIR"] == str(temporary)


def test_folder_for_temporary_files_is_the_processs_own_after_a_build(c_kernel, out, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", None)  # as in a process that has not used tempfile yet
    make(c_kernel, "c", out)
    assert Path(tempfile.gettempdir()).is_dir()


def test_time_and_memory_are_no_part_of_a_recipe(c_kernel):
    implementation = c_kernel.implementations["ctypes_c"]
    limited = config.Build(timeout_s=1.0, memory_gb=1.0)
    recipes = {
        toolchains.recipe(implementation, "total.c", settings, compiled_by="gcc 12") for settings in (CONFIG, limited)
    }
    assert len(recipes) == 1


@pytest.mark.parametrize(
    ("log", "told"),
    [  # logs of real compilers
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
def test_line_that_names_the_cause(log, told):
    assert telling_line(log) == told


NAMED_AS_OTHERS = """
#include <Python.h>

static struct PyModuleDef described = {PyModuleDef_HEAD_INIT, "NAME", NULL, -1, NULL};

PyMODINIT_FUNC PyInit_NAME(void) {
    PyObject *module = PyModule_Create(&described);
    return module == NULL || PyModule_AddIntConstant(module, "ours", 1) < 0 ? NULL : module;
}
"""


@pytest.mark.parametrize("name", ["copy", "of_nobody_else"])
def test_an_extension_that_enters_itself_among_the_modules_takes_nobodys_place(tmp_path, name):
    """An extension that registers itself in sys.modules replaces no module there.

    Python itself registers extensions with single-phase initialisation, such as those of f2py.
    """
    source, built = tmp_path / "named.c", tmp_path / f"{name}{compiler.EXTENSION_SUFFIX}"
    source.write_text(NAMED_AS_OTHERS.replace("NAME", name))
    subprocess.run(["gcc", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}", source, "-o", built], check=True)
    module = compiler.import_extension(built)
    assert module.ours == 1
    assert sys.modules.get(name) is (copy if name == "copy" else None)
    assert compiler.import_extension(built).ours == 1
