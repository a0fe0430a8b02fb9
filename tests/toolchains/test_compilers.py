"""Tests of several C compilers. Each builds separate implementations, whose names end with the compiler's name."""

import ctypes
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from building import EXACT, PYX, RUN, START_H, TOTAL_C, TOTAL_H, make, total

from accelbench import config, project, toolchains
from accelbench.environments.placement import Environment, place

OTHER = """#!/bin/sh
[ "$1" = --version ] && exec echo {version}
exec gcc -DSTART=1000.0 "$@"
"""
SEVERAL = {"cc": ["gcc", "clang-99"], "cxx": ["g++", "clang++-99"]}


@pytest.fixture
def compilers(tmp_path, monkeypatch):
    """Put stand-ins for compilers on PATH, which call gcc with another value of START."""
    for name in ("clang-99", "clang++-99", "zig-cc", "zig-c++"):
        (tmp_path / name).write_text(OTHER.format(version=f"{name} 99.1"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.fixture
def folder(kernel):
    baseline = SimpleNamespace(all_baselines={"ctypes_baseline"})
    texts = {f"ctypes_{name}_py": f'SOURCES = ("total.c",){RUN}' for name in ("c", "baseline")}
    texts |= {"numpy_total_py": RUN, "cython_typed_pyx": PYX}
    found = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h="#ifndef START\n" + START_H + "#endif\n", **texts)
    return replace(found, spec=baseline)


def test_each_compiler_has_implementations_of_its_own(folder):
    """Baselines and implementations without C stay unchanged. A second call of `place` replaces the compilers."""
    both = ("gcc", "clang-99")
    for placed in (place([], folder, both), place([], place([], folder, ("gcc", "x")), both)):
        assert sorted(placed.implementations) == [
            "ctypes_baseline",
            "ctypes_c@clang99",
            "ctypes_c@gcc",
            "cython_typed@clang99",
            "cython_typed@gcc",
            "cython_typed_fast@clang99",
            "cython_typed_fast@gcc",
            "numpy_total",
        ]
        assert placed.implementations["ctypes_c@clang99"].compiler == "clang-99"
    assert place([], placed, ("gcc",)).implementations.keys() == folder.implementations.keys()


def test_each_compiler_tunes_its_own(kernel):
    """An implementation that no C compiler builds uses the first compiler's tuning.

    A contestant uses the tuning of its own environment.
    """
    tuned = 'SOURCES = ("total.{}", "ctypes_{}.py")\nTUNED_BY = "ctypes_{}"' + RUN
    sweeps = {
        f"ctypes_{name}_py": f'SOURCES = ("total.c",)\nPARAMETERS = {{"n": (1, 2)}}{RUN}' for name in ("c", "base")
    }
    texts = {name: tuned.format("c", own, own) for name, own in (("ctypes_tuned_py", "c"), ("ctypes_again_py", "base"))}
    texts["ctypes_rust_py"] = 'TOOLCHAIN = "rust"\n' + tuned.format("rs", "c", "c")
    found = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, total_rs="", **sweeps, **texts)
    folder = replace(found, spec=SimpleNamespace(all_baselines={"ctypes_base"}))
    contestant = Environment("ctypes@2.0", sys.executable, ("ctypes",))
    placed = place([contestant], folder, ("gcc", "clang-99"))
    for each in (placed, place([contestant], placed, ("gcc", "clang-99"))):
        assert {i.name: i.tuned_by for i in each.implementations.values() if i.tuned_by} == {
            "ctypes_tuned@gcc": "ctypes_c@gcc",
            "ctypes_tuned@clang99": "ctypes_c@clang99",
            "ctypes_tuned@2.0": "ctypes_c@2.0",
            "ctypes_again@gcc": "ctypes_base",
            "ctypes_again@clang99": "ctypes_base",
            "ctypes_again@2.0": "ctypes_base@2.0",
            "ctypes_rust": "ctypes_c@gcc",
            "ctypes_rust@2.0": "ctypes_c@2.0",
        }
        assert all(i.tuned_by in {None, *each.implementations} for i in each.implementations.values())
        assert each.implementations["ctypes_c@2.0"].compiler == ""
    assert place([], placed, ("gcc",)).implementations["ctypes_tuned"].tuned_by == "ctypes_c"


@pytest.mark.usefixtures("compilers")
def test_each_builds_its_own(folder, out):
    settings = config.Build(**SEVERAL)
    placed = place([], folder, settings.cc)
    manifest = make(placed, "c", out, settings)
    names = {"ctypes_baseline": EXACT, "ctypes_c@gcc": EXACT, "ctypes_c@clang99": EXACT + 1000}
    for name, right in names.items():
        entry = manifest.find(name, "total.c")
        assert total(ctypes.CDLL(toolchains.open_artifact(entry, out, "c"))) == right, entry.log
        assert entry.compiler.startswith("clang-99 99.1" if right > EXACT else "gcc ")
    assert manifest.find("ctypes_baseline", "total.c").recipe == manifest.find("ctypes_c@gcc", "total.c").recipe


@pytest.mark.usefixtures("compilers")
def test_zig_has_no_openmp(kernel, out):
    text = f'SOURCES = ("total.c",)\nVARIANTS = {{"openmp": ("-fopenmp",)}}{RUN}'
    folder = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h="", ctypes_c_py=text)
    manifest = make(folder, "c", out, config.Build(cc="zig-cc", cxx="zig-c++"))
    assert manifest.find("ctypes_c", "total.c").outcome == "ok"
    entry = manifest.find("ctypes_c_openmp", "total.c")
    assert (entry.log, entry.remedy) == (
        "zig has no OpenMP runtime: compile it with gcc or clang (build.cc)",
        "compile it with gcc or clang (build.cc)",
    )


@pytest.mark.parametrize(
    ("compiler", "command"), [("zig-nowhere", "make install LOCK=zig"), ("no-such-cc", "apt install build-essential")]
)
def test_a_missing_compiler_is_told_with_its_command(c_kernel, out, compiler, command):
    entry = make(c_kernel, "c", out, config.Build(cc=compiler)).find("ctypes_c", "total.c")
    assert command in entry.remedy


def test_zig_is_found_where_its_lock_puts_it(monkeypatch, tmp_path):
    monkeypatch.setattr(project, "ROOT", tmp_path)
    program = tmp_path / ".venv-zig" / "bin" / "zig-of-a-test"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho zig 1.0, clang version 2\n")
    program.chmod(0o755)
    assert toolchains.compiler.locate("zig-of-a-test", "cc") == str(program)
    assert toolchains.compiler.version_of("zig-of-a-test", "cc") == "zig 1.0, clang version 2"
