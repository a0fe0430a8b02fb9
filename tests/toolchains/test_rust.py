"""Tests that libraries in Rust are built from small sources and loaded, and that their results are right."""

import ctypes
import platform
import shutil

import pytest
from building import EXACT, NUMBERS, RUN, make

from accelbench import config, toolchains

SOURCE = """
#[no_mangle]
pub unsafe extern "C" fn total(x: *const f64, n: usize) -> f64 {
    std::slice::from_raw_parts(x, n).iter().sum()
}
"""
TEXT = f'TOOLCHAIN = "rust"\nSOURCES = ("total.rs",)\nVARIANTS = {{"generic": ("-march=generic",)}}{RUN}'
needs_rust = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc not found")


@pytest.fixture
def rust_kernel(kernel):
    return kernel(total_rs=SOURCE, ctypes_rust_py=TEXT)


@needs_rust
def test_library_computes_the_exact_sum(rust_kernel, out):
    entry = make(rust_kernel, "rust", out).find("ctypes_rust", "total.rs")
    assert entry.outcome == "ok", entry.log
    total = ctypes.CDLL(toolchains.open_artifact(entry, out, "rust")).total
    total.argtypes, total.restype = (ctypes.c_void_p, ctypes.c_size_t), ctypes.c_double
    assert total(NUMBERS.buffer_info()[0], len(NUMBERS)) == EXACT
    assert entry.compiler.startswith("rustc ")
    assert str(out) not in repr(entry), "results must not depend on the folder they were made in"


@needs_rust
def test_words_of_the_compiler_are_kept(kernel, out):
    folder = kernel(bad_rs="fn bad() -> i32 { undeclared }\n", ctypes_bad_py=TEXT.replace("total.rs", "bad.rs"))
    entry = make(folder, "rust", out).find("ctypes_bad", "bad.rs")
    assert (entry.outcome, "undeclared" in entry.log) == ("build_failed", True)


def test_processor_and_version_decide_the_recipe(rust_kernel):
    native, generic = rust_kernel.implementations.values()
    flags = [toolchains.all_flags(i, config.Build(cflags=("-O2", "-march=native"))) for i in (native, generic)]
    assert flags == [("-Copt-level=3", "-Ctarget-cpu=native"), ("-Copt-level=3",)]
    recipes = {
        toolchains.recipe(i, "total.rs", config.Build(), compiled_by=version)
        for i in (native, generic)
        for version in ("rustc 1.63.0", "rustc 1.95.0")
    }
    assert len(recipes) == 4


@pytest.mark.parametrize(
    ("machine", "cflags", "targets"),
    [
        ("x86_64", ("-O2", "-march=native"), ["native"]),
        ("x86_64", ("-march=x86-64-v3",), ["x86-64-v3"]),
        ("aarch64", ("-O3", "-march=native"), ["native"]),
        ("aarch64", ("-mcpu=neoverse-v1+nocrypto",), ["neoverse-v1"]),
        ("aarch64", ("-march=armv8.2-a", "-mcpu=neoverse-n1"), ["neoverse-n1"]),
        ("aarch64", ("-march=armv8.2-a+sve",), []),
    ],
)
def test_processor_is_named_as_rustc_names_it(rust_kernel, monkeypatch, machine, cflags, targets):
    """The flags contain rustc's name of the processor, if the C flags name one.

    -march=generic and ARM architectures such as armv8.2-a name no processor.
    """
    monkeypatch.setattr(platform, "machine", lambda: machine)
    native, generic = rust_kernel.implementations.values()
    settings = config.Build(cflags=cflags)
    assert toolchains.all_flags(native, settings) == ("-Copt-level=3", *(f"-Ctarget-cpu={t}" for t in targets))
    assert toolchains.all_flags(generic, settings) == ("-Copt-level=3",)


def test_missing_compiler_is_told_with_the_command(rust_kernel, out):
    entry = make(rust_kernel, "rust", out, config.Build(rustc="no-such-rustc")).find("ctypes_rust", "total.rs")
    assert entry.outcome == "build_failed"
    assert entry.remedy == (
        "install no-such-rustc (Debian, Ubuntu: apt install rustc) or set build.rustc in the configuration"
    )
