"""Tests of algorithms and math modes that are derived for published results, which lack these fields."""

import pytest
from examples import EXAMPLES

from accelbench.analysis import Analysis
from accelbench.decide import Answers
from accelbench.report import classes
from accelbench.store.load import load_results


@pytest.fixture(scope="module")
def results():
    return load_results(EXAMPLES / "h200-today")


def of(results, kernel, implementation):
    records = [r for r in results.records if (r.kernel, r.implementation, r.outcome) == (kernel, implementation, "ok")]
    return {(record.algorithm, record.math, record.target) for record in records}


def test_classes_are_those_of_published_sources_and_builds(results):
    """The published sweep was built without -march=native, except cffi_openmp.

    The code of numba_parallel has changed since then, so its algorithm, math mode and target are unknown.
    """
    derived = classes.with_classes(results)
    assert of(results, "vector_sum", "cffi_openmp") == {(None, None, None)}
    assert of(derived, "vector_sum", "cffi_openmp") == {("partial sums", "fast", "native")}
    assert of(derived, "inside_polygon", "cffi_scanline") == {("scan line", "strict", "generic")}
    assert of(derived, "vector_sum", "numba_parallel") == {(None, None, None)}


def test_the_base_ranking_of_published_results_has_answers(results):
    answers = Answers(Analysis(classes.with_classes(results)))
    assert all(answers.usual(family, base=True).best for family in answers.sizes)


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("a.py", 'ALGORITHM = "direct"\na = 1  # one\n', '"""Doc."""\na = 1\n', True),
        ("a.py", 'FLAGS = ("-O3",)\na = 1\n', "FLAGS = ()\na = 1\n", True),
        ("a.py", "a = 1\n", "a = 2\n", False),
        ("a.c", "/* a */ int a;\n#pragma omp simd\n", "int a; // b\n#pragma omp simd\n", True),
        ("a.c", "#pragma omp simd\nint a;\n", "int a;\n", False),
    ],
)
def test_comments_flags_and_names_of_algorithms_are_no_change_of_code(tmp_path, name, one, other, same):
    (tmp_path / name).write_text(f"# -\n{one}" if name.endswith("py") else one)
    assert classes._is_unchanged(tmp_path / name, other) == same
