"""Several C compilers: each makes the implementations of C under a name of its own."""

import ctypes
from dataclasses import replace
from types import SimpleNamespace

import pytest
from building import EXACT, PYX, RUN, START_H, TOTAL_C, TOTAL_H, make, total

from accelbench import config, project, toolchains
from accelbench.environments.placement import place

OTHER = """#!/bin/sh
[ "$1" = --version ] && exec echo {version}
exec gcc -DSTART=1000.0 "$@"
"""
SEVERAL = {"cc": ["gcc", "clang-99"], "cxx": ["g++", "clang++-99"]}


@pytest.fixture
def compilers(tmp_path, monkeypatch):
    """Put compilers on PATH that call gcc and have another START."""
    for name in ("clang-99", "clang++-99", "zig-cc", "zig-c++"):
        (tmp_path / name).write_text(OTHER.format(version=f"{name} 99.1"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.fixture
def folder(kernel):
    baseline = SimpleNamespace(all_baselines=("ctypes_baseline",))
    texts = {f"ctypes_{name}_py": f'SOURCES = ("total.c",){RUN}' for name in ("c", "baseline")}
    texts |= {"numpy_total_py": RUN, "cython_typed_pyx": PYX}
    found = kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h="#ifndef START\n" + START_H + "#endif\n", **texts)
    return replace(found, spec=baseline)


def test_each_compiler_has_implementations_of_its_own(folder):
    """Baselines and what C does not make stay as they are. A second placement changes nothing."""
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
