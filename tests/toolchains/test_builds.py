"""Tests of builds by any toolchain: when they are repeated, their recipes, and their manifests."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from building import CONFIG, EXACT, PYX, RUN, START_H, TOTAL_C, TOTAL_H, folders, make, total

from accelbench import config, project, toolchains
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation
from accelbench.measure import bench
from accelbench.toolchains.log import telling_line

MACHINE = SimpleNamespace(backends={}, devices=[], has_gpu=False)


def test_unchanged_sources_build_nothing_even_without_the_old_manifest(c_kernel, out):
    first = make(c_kernel, "c", out)
    before = folders(out, "c")
    (out / "c.json").unlink()
    assert make(c_kernel, "c", out) == first
    assert folders(out, "c") == before


def test_changed_header_rebuilds_and_an_unrelated_file_does_not(c_kernel, out):
    first = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    (c_kernel.path / "other.h").write_text("#define START 5.0\n")
    (c_kernel.path / "start.h").touch()
    assert make(c_kernel, "c", out).find("ctypes_c", "total.c") == first
    (c_kernel.path / "start.h").write_text("#define START 100.0\n")
    second = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert second.recipe != first.recipe
    assert total(ctypes.CDLL(toolchains.open_artifact(second, out, "c"))) == EXACT + 100
    assert len(folders(out, "c")) == 1, "an artifact that is no longer needed is deleted"


def test_a_source_of_any_ending_is_one_of_its_kernel(kernel):
    """Headers and all files that SOURCES names are a kernel's native sources, whatever their suffix."""
    texts = {"total_c": TOTAL_C, "total_h": TOTAL_H, "table_inc": "1, 2", "notes_txt": "none"}
    folder = kernel(ctypes_c_py=f'SOURCES = ("total.c", "table.inc"){RUN}', **texts)
    assert [path.name for path in folder.native_sources()] == ["table.inc", "total.c", "total.h"]


def test_a_log_does_not_say_where_the_project_lies(kernel, out):
    folder = kernel(far_c=f'#include "{project.ROOT}/no/such.h"\n', ctypes_far_py=f'SOURCES = ("far.c",){RUN}')
    entry = make(folder, "c", out).find("ctypes_far", "far.c")
    assert (entry.outcome, str(project.ROOT) in entry.log) == ("build_failed", False)
    assert "no/such.h: No such file" in entry.log


def test_added_file_is_built_alone(c_kernel, kernel, out):
    make(c_kernel, "c", out)
    before = folders(out, "c")
    folder = kernel(two_c="int two(void) { return 2; }\n", ctypes_two_py=f'SOURCES = ("two.c",){RUN}')
    entry = make(folder, "c", out).find("ctypes_two", "two.c")
    assert ctypes.CDLL(toolchains.open_artifact(entry, out, "c")).two() == 2
    after = folders(out, "c")
    assert {name: after[name] for name in before} == before
    assert len(after) == 2


def test_build_killed_half_way_does_not_count(c_kernel, out):
    entry = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    artifact = out / entry.path
    half = artifact.parent.with_name(f".building-{artifact.parent.name}-1")
    artifact.parent.rename(half)
    again = make(c_kernel, "c", out).find("ctypes_c", "total.c")
    assert total(ctypes.CDLL(toolchains.open_artifact(again, out, "c"))) == EXACT
    assert not half.exists()


def test_deleted_artifact_is_built_again_and_named_if_opened(c_kernel, out):
    manifest = make(c_kernel, "c", out)
    entry = manifest.find("ctypes_c", "total.c")
    (out / entry.path).unlink()
    with pytest.raises(InputError, match="gone"):
        toolchains.open_artifact(entry, out, "c")
    make(c_kernel, "c", out)
    assert total(ctypes.CDLL(toolchains.open_artifact(entry, out, "c"))) == EXACT


def test_compiler_words_are_kept_and_the_others_are_built(c_kernel, kernel, out):
    folder = kernel(bad_c="int bad(void) { return undeclared; }\n", ctypes_bad_py=f'SOURCES = ("bad.c",){RUN}')
    manifest = make(folder, "c", out)
    entry = manifest.find("ctypes_bad", "bad.c")
    assert entry.outcome == "build_failed"
    assert "bad.c:1" in entry.log
    assert "undeclared" in telling_line(entry.log)
    assert entry.path is None
    assert manifest.find("ctypes_c", "total.c").outcome == "ok"
    with pytest.raises(InputError, match="undeclared"):
        toolchains.open_artifact(entry, out, "c")


def test_output_folder_that_cannot_be_written_is_a_failed_build(c_kernel, tmp_path):
    (tmp_path / "occupied").write_text("a file")
    manifest = toolchains.build(c_kernel, "c", tmp_path / "occupied" / "total", config=CONFIG)
    assert manifest.artifacts[0].outcome == "build_failed"
    assert "Not a directory" in manifest.artifacts[0].log


def test_disk_that_fills_is_no_artifacts_fault(c_kernel, out, tmp_path):
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


def recipe(folder, name="ctypes_c", source="total.c", settings=CONFIG):
    implementation = folder.implementations[name]
    return toolchains.recipe(
        implementation, source, settings, compiled_by=toolchains.compiler_version(implementation, settings)
    )


def test_recipe_holds_what_decides_the_artifact_and_no_folder(c_kernel, tmp_path):
    first = recipe(c_kernel)
    elsewhere = tmp_path / "elsewhere" / "total"
    elsewhere.parent.mkdir()
    subprocess.run(["cp", "-r", c_kernel.path, elsewhere], check=True)
    implementation = read_implementation(elsewhere / "ctypes_c.py")[0]
    copy = catalog.KernelFolder("total", elsewhere, None, {}, {"ctypes_c": implementation})
    assert recipe(copy) == first
    assert recipe(copy, settings=config.Build(cflags=("-O2",))) != first
    assert toolchains.recipe(implementation, "total.c", CONFIG, compiled_by="another compiler 1.0") != first
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


def test_toolchain_nobody_wrote_is_a_failed_build(kernel, out):
    folder = kernel(total_cu="\n", python_cu_py=f'TOOLCHAIN = "cuda"\nSOURCES = ("total.cu",){RUN}')
    if "cuda" in toolchains.modules():
        pytest.skip("cuda is built here")
    entry = make(folder, "cuda", out).find("python_cu", "total.cu")
    assert entry.outcome == "build_failed"
    assert "cuda" in entry.log


@pytest.mark.parametrize("text", ['{"schema_version": 2, "kernel": "to', '{"schema_version": 3}', "[]"])
def test_manifest_that_is_cut_off_or_of_another_version_is_named(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"c\.json"):
        toolchains.load(path)


def test_artifacts_are_opened_without_importing_a_library(c_kernel, out):
    make(c_kernel, "c", out)
    code = (
        "import json, sys\nfrom accelbench import toolchains\nfrom accelbench.model.artifact import Artifact\n"
        f"entry = json.load(open({str(out / 'c.json')!r}))['artifacts'][0]\n"  # like the entry that a worker receives
        f"toolchains.open_artifact(Artifact(**entry), {str(out)!r}, 'c')\n"
        "print({'numpy', 'cffi', 'Cython', 'pyopencl', 'pydantic', 'yaml', 'setuptools'} & set(sys.modules))"
    )
    package = str(Path(toolchains.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": package}
    )
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.slow
def test_builds_at_once_do_not_disturb_each_other(kernel, tmp_path):
    folder = kernel(cython_typed_pyx=PYX)
    code = (
        "import sys, pathlib\nfrom accelbench import config, toolchains\nfrom accelbench.kernels import catalog\n"
        "from accelbench.kernels.implementation import read_implementation\n"
        "from accelbench.toolchains import cython_extension\n"
        "cython_extension._SHARED_FLAGS = ('-O0',)\n"  # for a faster build
        f"path = pathlib.Path({str(folder.path)!r})\n"
        "found = read_implementation(path / 'cython_typed.pyx')\n"
        "folder = catalog.KernelFolder('total', path, None, {}, {i.name: i for i in found})\n"
        "manifest = toolchains.build(folder, 'cython', sys.argv[1], config=config.Build(cflags=('-O0',)))\n"
        "entry = manifest.artifacts[0]\n"
        "import array\n"
        "print(toolchains.open_artifact(entry, sys.argv[1], 'cython').run(array.array('d', [1, 2])))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(toolchains.__file__).parents[2])}
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / name)], stdout=subprocess.PIPE, text=True, env=env)
        for name in ("one", "two")
    ]
    assert [process.communicate(timeout=300)[0].strip() for process in both] == ["3.0", "3.0"]
    assert len(list((tmp_path / ".shared").glob("accelbench_cython_*"))) == 1, "their shared code is built once"


def test_first_build_of_a_run_makes_the_manifests_that_others_wait_for(c_kernel, tmp_path, monkeypatch):
    """The first build of a run makes the manifests of all kernels. The other kernels' jobs only move their manifests.

    A build of a single kernel, or of a later run, does not touch other kernels.
    """
    other, settings = SimpleNamespace(**vars(c_kernel) | {"name": "other"}), {"config": CONFIG, "machine": MACHINE}
    monkeypatch.setenv(bench.WHOLE, ".run")
    both = bench.build(tmp_path, "c", c_kernel, others=[other], **settings)
    assert [manifest.kernel for manifest in both] == [c_kernel.name, "other"]
    assert not (tmp_path / "build" / "other" / "c.json").exists()
    assert bench.build(tmp_path, "c", other, others=[c_kernel], **settings) == []
    assert toolchains.load(tmp_path / "build" / "other" / "c.json") == both[1]
    monkeypatch.setenv(bench.WHOLE, ".later")
    assert bench.build(tmp_path, "c", c_kernel, others=[other], **settings) == both[:1]


def test_without_a_gpu_nothing_is_built_with_cuda(kernel, tmp_path):
    folder = kernel(scale_cu="no CUDA at all", cupy_raw_py=f'SOURCES = ("scale.cu",){RUN}')
    (manifest,) = bench.build(tmp_path, "cuda", folder, config=CONFIG, machine=MACHINE)
    assert manifest.artifacts == []
    assert toolchains.load(tmp_path / "build" / folder.name / "cuda.json") == manifest
