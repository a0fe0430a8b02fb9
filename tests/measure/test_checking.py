"""Tests of `check`: it finds mistakes that show only with several threads, other seeds or large problems."""

import multiprocessing
import re
import shutil
import time
from pathlib import Path

import opencl_here
import pytest

from accelbench import config, project, toolchains
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog
from accelbench.machine.processor import available_cpus
from accelbench.measure import checking
from accelbench.model.artifact import Manifest

KERNELS = Path(__file__).parents[2] / "kernels"
PLANTED = {
    "cffi_openmp.py": '''
        """The exercise's mistake: the threads add to one variable."""

        SOURCES = ("racing.c",)
        FLAGS = ("-fopenmp",)


        def prepare(case):
            library = case.artifact("racing.c")
            sum_up, array = getattr(library.lib, f"racing_{case.dtype}"), {"float64": "double[]", "float32": "float[]"}

            def run(x):
                return sum_up(library.ffi.from_buffer(array[case.dtype], x), x.size)

            return run
        ''',
    "racing.h": """
        double racing_float64(const double *x, int64_t n);
        float racing_float32(const float *x, int64_t n);
        """,
    "racing.c": r"""
        #include <stdint.h>
        #include "racing.h"
        #define DEFINE(type, dtype)                      \
            type racing_##dtype(const type *x, int64_t n) \
            {                                            \
                type total = 0;                          \
                _Pragma("omp parallel for")              \
                for (int64_t i = 0; i < n; i++)          \
                    total += x[i];                       \
                return total;                            \
            }
        DEFINE(double, float64)
        DEFINE(float, float32)
        """,
    "numba_parallel.py": '''
        """The same race in Numba, which recognises reductions of a scalar, but not of an array's element."""

        import numba
        import numpy as np

        PARAMETERS = ("threads",)


        @numba.njit(parallel=True)
        def run(x):
            total = np.zeros(1, x.dtype)
            for i in numba.prange(x.size):
                total[0] += x[i]
            return total[0]
        ''',
    "numba_strict.py": '''
        """Correct only if the compiler does not reorder additions."""

        import numba

        VARIANTS = {"fast": ("fastmath=True",)}


        def vector_sum(x, huge):
            total = x.dtype.type(0)
            for i in range(x.size):
                total += x[i]
            return total + ((huge + x.dtype.type(1000)) - huge)


        def prepare(case):
            compiled = numba.njit(vector_sum, cache=True, fastmath=case.variant == "fast")
            return lambda x: compiled(x, x.dtype.type(1e30))
        ''',
    "numpy_right_by_luck.py": '''
        """Wrong for half of all seeds, but neither for the first seed nor for whole numbers."""


        def run(x):
            return x.sum() + (x.size == 97 and x[0] % 1 != 0 and abs(x[0] % 1 - 0.5) > 0.25)
        ''',
    "numpy_slow_start.py": '''
        """Simulates compilation in the first call with each dtype."""

        import time

        compiled = set()


        def run(x):
            if x.dtype not in compiled:
                compiled.add(x.dtype)
                time.sleep(0.5)
            return x.sum()
        ''',
    "numpy_all_but_one.py": '''
        """Leaves out all elements after the first 999 999."""


        def run(x):
            return x[: min(x.size, 999_999)].sum()
        ''',
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return the output of `check` for a sum with the implementations in PLANTED."""
    home = tmp_path_factory.mktemp("planted")
    folder = home / "vector_sum"
    folder.mkdir()
    for name in ("kernel.py", "numpy_sum.py", "numpy_matmul.py"):
        shutil.copy(KERNELS / "vector_sum" / name, folder)
    for name, text in PLANTED.items():
        (folder / name).write_text(re.sub(r"^ {8}", "", text, flags=re.M).lstrip())
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setattr(checking, "SIZES", (0, 97))
        loaded = catalog.load(folder)
        checking.check(EffectiveConfig.of(config.parse({}), loaded), list(loaded.implementations), lines.append)
    return "\n".join(lines)


@pytest.mark.slow
def test_variants_of_numba_are_compiled_apart(told):
    """Variants are compiled separately, although Numba's cache distinguishes only functions, not compiler options."""
    assert re.search(r"^numba_strict on cpu: right", told, re.MULTILINE), told
    assert re.search(r"^numba_strict_fast on cpu: .* wrong", told, re.MULTILINE), told


@pytest.mark.slow
@pytest.mark.skipif(available_cpus() < 2, reason="one core: threads take turns")
@pytest.mark.parametrize("name", ["cffi_openmp", "numba_parallel"])
def test_a_race_is_found_with_all_threads(told, name):
    assert re.search(rf"^{name} on cpu: float\d\d, size \d+, \d+ threads: wrong_result: total: it is", told, re.M), told
    assert re.search(rf"^{name} on cpu: \d+ problems? wrong", told, re.M)


def test_one_element_of_a_million_left_out_is_found(told):
    assert "numpy_all_but_one on cpu: float32, size 1000000: wrong_result: total: it is" in told
    assert "numpy_all_but_one on cpu: 2 problems wrong, 4 right" in told
    assert "numpy_sum on cpu: right (6 problems)" in told


def test_what_is_wrong_for_half_of_all_seeds_is_found(told):
    assert "numpy_right_by_luck on cpu: float64, size 97: wrong_result: total: it is" in told
    assert re.search(r"^numpy_right_by_luck on cpu: [12] problems? wrong", told, re.M)


def test_a_first_call_that_compiles_foretells_nothing_of_larger_problems(told):
    assert "numpy_slow_start on cpu: right (6 problems)" in told


def test_check_of_one_way_to_a_limit_looks_for_no_other_backend(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines, folder = [], catalog.load(project.PEAKS / "peak_matmul")
    assert checking.check(EffectiveConfig.of(config.parse({}), folder), ["numpy_matmul"], lines.append)
    assert any("right" in line for line in lines), lines


def test_check_ends_where_work_does_not_grow_with_the_size(tmp_path, monkeypatch):
    """Allocating moves no data, so no size has enough work to show a race condition."""
    opencl_here.devices()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checking, "SIZES", (0, 97))
    place = tmp_path / "memory_pool"
    shutil.copytree(KERNELS / "memory_pool", place)
    (place / "pyopencl_empty.py").write_text(
        '"""An allocation."""\nimport pyopencl.array\ndef prepare(case):\n'
        '    return lambda: pyopencl.array.empty(case.queue, case.size, "uint8").nbytes\n'
    )
    lines, folder = [], catalog.load(place)
    assert checking.check(EffectiveConfig.of(config.parse({}), folder), ["pyopencl_empty"], lines.append)
    assert any("calls to check for race conditions" in line for line in lines), lines


def test_checks_of_one_kernel_at_the_same_time_build_one_after_another(tmp_path, monkeypatch):
    """Concurrent builds would fail: each check would mistake files of the other for leftovers of a killed build."""
    steps, loaded = tmp_path / "steps", catalog.load(KERNELS / "vector_sum")

    def build(folder, toolchain, out_dir, **_):
        for step in ("begins", "ends"):
            with steps.open("a") as stream:
                print(step, file=stream)
            time.sleep(0.5)
        return Manifest(folder.name, toolchain, [])

    monkeypatch.setattr(toolchains, "build", build)
    both = [
        multiprocessing.get_context("fork").Process(
            target=checking.ready,
            args=(EffectiveConfig.of(config.parse({}), loaded), ["cffi_openmp"]),
            kwargs={"home": tmp_path},
        )
        for _ in range(2)
    ]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    assert steps.read_text().split() == ["begins", "ends"] * 2
