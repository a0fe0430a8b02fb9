"""Tests of excerpts of sources."""

from types import SimpleNamespace

import pytest

from accelbench.pages import source


@pytest.mark.parametrize(
    ("preamble", "first"),
    [
        ("#include <math.h>\n#include <stdint.h>\n\n/* Two\n   lines. */\n", "void twice(double *x)"),
        ("#pragma once\n// A comment\n", "#pragma omp declare simd"),
        ("/* Macros */\n", "#define TWICE(x) (2 * (x))"),
        ("# cython: language_level=3\ncimport cython\nfrom libc.math cimport sqrt\n\n", "cdef double twice(double x):"),
        ("from numba import (\n    cuda,\n    float32,\n)\nimport numpy as np\n# A comment\n\n\n", "@cuda.jit"),
    ],
)
def test_excerpt_begins_at_the_first_line_of_code(preamble, first):
    body = [first, *(f"line {number}" for number in range(9))]
    text = preamble + "\n".join(body)
    assert source.excerpt(SimpleNamespace(text=text), 5).split("\n") == [*body[:5], "…"]
    assert source.excerpt(SimpleNamespace(text=text), 40) == text


def test_excerpt_of_comments_alone_is_short():
    text = "\n".join(f"# {number}" for number in range(9))
    assert source.excerpt(SimpleNamespace(text=f"{text}\n"), 5).count("\n") <= 5
