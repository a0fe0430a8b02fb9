"""Tests of the toolchains of Pythran, nanobind and f2py: results, and error messages of one line."""

from dataclasses import replace

import numpy as np
import pytest
from run_implementation import skip_where_missing

from accelbench import config, toolchains
from accelbench.environments import interpreter
from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation
from accelbench.toolchains.log import telling_line

RUN = "\n\ndef run(x):\n    pass\n"
NUMBERS = np.array([0.5, 1.25, -3.0, 1024.0])
TOTAL_C = "double total(const double *x, long n)\n{\n    return n ? x[0] + total(x + 1, n - 1) : 0;\n}\n"
TOTAL_CPP = """#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
extern "C" double total(const double *x, long n);
NB_MODULE(total, module)
{
    module.def("total", [](nanobind::ndarray<const double, nanobind::ndim<1>> x) { return total(x.data(), x.size()); });
}
"""
TOTAL_PY = "import numpy as np\n\n# pythran export total(float64[])\ndef total(x):\n    return np.sum(x)\n"
TOTAL_F90 = """function total(x, n)
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    total = sum(x)
end function
"""
# {toolchain: (files, first the one to build; (right text, wrong text); location of the error in the message)}
KERNELS = {
    "pythran": ({"_total.py": TOTAL_PY}, ("np.sum(x)", "np.nonsense(x)"), "_total.py:5"),
    "nanobind": ({"total.cpp": TOTAL_CPP, "total.c": TOTAL_C}, ("x.size()", "x.nonsense()"), "total.cpp:6:"),
    "f2py": ({"total.f90": TOTAL_F90}, ("sum(x)", "* x"), "total.f90:5:"),
}


@pytest.fixture(params=KERNELS)
def toolchain(request):
    return request.param


@pytest.fixture
def kernel(tmp_path, toolchain):
    """Return a function that writes a kernel's files and returns the KernelFolder.

    The function's arguments replace the texts of single files.
    """

    def plant(**texts):
        files = KERNELS[toolchain][0] | {name.replace("__", "."): text for name, text in texts.items()}
        folder = tmp_path / "my kernels" / "total"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (files | {f"{toolchain}_x.py": f"SOURCES = {tuple(files)}{RUN}"}).items():
            (folder / name).write_text(text)
        (implementation,) = read_implementation(folder / f"{toolchain}_x.py")
        skip_where_missing(implementation)
        return catalog.KernelFolder("total", folder, None, {}, {implementation.name: implementation})

    return plant


@pytest.fixture
def make(tmp_path_factory, toolchain):
    """Return a function that builds a KernelFolder in the toolchain's folder, and returns the artifact."""
    out = tmp_path_factory.getbasetemp() / "built" / toolchain

    def build(folder, **settings):
        (artifact,) = toolchains.build(folder, toolchain, out, config=config.Build(**settings)).artifacts
        return artifact

    build.out = out
    return build


def test_what_is_built_is_right_and_used_again(kernel, make, toolchain):
    folder = kernel()
    artifact = make(folder)
    assert artifact.outcome == "ok", artifact.log
    assert toolchains.open_artifact(artifact, make.out, toolchain).total(NUMBERS) == 1022.75
    assert make(folder) == artifact


def test_errors_are_told_with_file_and_line(kernel, make, toolchain):
    files, (right, wrong), place = KERNELS[toolchain]
    name, text = next(iter(files.items()))
    artifact = make(kernel(**{name.replace(".", "__"): text.replace(right, wrong)}))
    assert artifact.outcome == "build_failed"
    assert telling_line(artifact.log).startswith(place), artifact.log
    assert str(make.out) not in artifact.log


def test_flags_reach_the_compiler(kernel, make, toolchain):
    artifact = make(kernel(), cflags=("-O1", "-fno-such-flag"))
    assert artifact.outcome == "build_failed"
    assert "-fno-such-flag" in telling_line(artifact.log)


def test_missing_compiler_is_told_with_what_to_do(kernel, make, toolchain):
    key = "fc" if toolchain == "f2py" else "cxx"
    artifact = make(kernel(), **{key: "no-such-compiler"})
    assert artifact.outcome == "build_failed"
    assert artifact.log.startswith("no-such-compiler not found: install")
    assert f"set build.{key}" in artifact.log


def test_compiler_that_takes_too_long_is_stopped(kernel, make, toolchain):
    artifact = make(kernel(), cflags=("-O3", "-g"), timeout_s=0.05)
    assert artifact.outcome == "build_failed"
    assert telling_line(artifact.log) == "the compiler was stopped after 0.05 s (build.timeout_s)"


def test_package_that_is_missing_is_told_with_what_to_do(kernel, make, toolchain, monkeypatch):
    folder = kernel()
    read = interpreter.read
    monkeypatch.setattr(interpreter, "read", lambda python: replace(read(python), packages={}))
    artifact = make(folder, cflags=("-O2",))
    assert artifact.outcome == "build_failed"
    assert "is not installed. Install it: " in artifact.log


@pytest.mark.parametrize("toolchain", ["nanobind"], indirect=True)
def test_nanobind_compiles_its_own_code_once_and_a_module_anew_with_each_of_its_sources(kernel, make, toolchain):
    first = make(kernel())
    (shared,) = (make.out.parent / ".shared").glob("*.o")
    made = shared.stat().st_mtime_ns
    second = make(kernel(total__c=TOTAL_C.replace(": 0", ": 100")))
    assert second.recipe != first.recipe
    assert toolchains.open_artifact(second, make.out, toolchain).total(NUMBERS) == 1122.75
    assert shared.stat().st_mtime_ns == made
    broken = make(kernel(total__c="double total(void { }\n"))
    assert telling_line(broken.log).startswith("total.c:1:")


@pytest.mark.parametrize("toolchain", ["f2py"], indirect=True)
def test_fortran_without_a_function_is_told(kernel, make):
    artifact = make(kernel(total__f90="! Nothing.\n"))
    assert artifact.outcome == "build_failed"
    assert telling_line(artifact.log) == "total.f90: f2py finds no subroutine and no function in it"
