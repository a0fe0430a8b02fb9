"""Tests of the loops whose iterations threads may share. NumPy computes the expected results."""

import ast

import numba
import numpy as np
import pytest

from accelbench.derive import loops


def shared(body, *, before="r = np.zeros(n)", after="return r"):
    """Return the text of a function with this body, in which `prange` replaces `range` in independent loops."""
    lines = "\n".join([before, *body.splitlines(), after]).replace("\n", "\n    ")
    return ast.unparse(loops.share(ast.parse(f"def f(a, b, n):\n    {lines}\n")))


INDEPENDENT = {
    "mask": """\
for i in range(n):
    m = np.logical_and(a >= i, a < i + 1)
    v = b[m]
    r[i] = v.sum()
""",
    "nested": """\
for i in range(n):
    s = 0.0
    for j in range(n):
        s += a[i, j] * b[j]
    r[i] = s
""",
    "while": """\
for i in range(1, n):
    z = a[i] * 1
    k = 0
    while k < 5 and z < 2:
        z = z * z
        k += 1
    r[i] = k
""",
    "own element": """\
for i in range(n):
    r[i] += a[i]
    r[i] = r[i] * 2
""",
    "if": """\
for i in range(n):
    if a[i] > 0:
        x = 1.0
    else:
        x = 2.0
    r[i] = x
""",
}
DEPENDENT = {
    "scan": """\
for i in range(1, n):
    r[i] = r[i - 1] + a[i]
""",
    "carried": """\
s = 0.0
for i in range(n):
    s += a[i]
    r[i] = s
""",
    "maybe": """\
for i in range(n):
    if a[i] > 0:
        x = 1.0
    r[i] = x
""",
    "inplace": """\
for i in range(n):
    a[i] = b[i]
""",
    "other": """\
for i in range(n):
    r[i] = 1
    r[b[i]] = 2
""",
    "scatter": """\
for i in range(n):
    r[b[i]] += 1
""",
    "view": """\
for i in range(n):
    row = a[0]
    row += 1
    r[i] = row[0]
""",
    "out": """\
for i in range(n):
    r[i] = np.add(a, b, out=a)[0]
""",
    "positional": """\
for i in range(n):
    r[i] = np.add(a, b, a)[0]
""",
    "break": """\
for i in range(n):
    if a[i] > 0:
        break
    r[i] = 1
""",
    "helper": """\
for i in range(n):
    r[i] = g(a)
""",
    "random": """\
for i in range(n):
    r[i] = np.random.rand()
""",
    "negative": """\
for i in range(-2, n):
    r[i] = a[i] + i
""",
    "step": """\
for i in range(0, n, 2):
    r[i] = 1
""",
    "statement": """\
for i in range(n):
    a.sort()
    r[i] = a[0]
""",
    "after": """\
for i in range(n):
    x = a[i]
    r[i] = x
r[0] = x
""",
    "index after": """\
for i in range(n):
    r[i] = 1
r[0] = i
""",
    "whole": """\
for i in range(n):
    r[i] = r.sum()
""",
    "attr": """\
for i in range(n):
    a.real = i
    r[i] = 1
""",
    "else of an inner loop": """\
for i in range(n):
    for j in range(n):
        x = a[j]
    else:
        x = x + 1
    r[i] = 1
""",
}


@pytest.mark.parametrize("body", INDEPENDENT.values(), ids=INDEPENDENT)
def test_independent_loops_are_shared_and_give_numpys_result(body):
    text = shared(body)
    assert "for i in numba.prange(" in text
    assert text.count("prange") == 1
    scopes = [{"np": np, "numba": numba}, {"np": np, "numba": numba}]
    exec(text.replace("numba.prange", "range"), scopes[0])
    exec(text, scopes[1])
    a, b = np.random.default_rng(1).random((2, 40))
    a = np.outer(a, b) if "a[i, j]" in body else 10 * a
    compiled = numba.njit(parallel=True)(scopes[1]["f"])
    np.testing.assert_allclose(compiled(a, b, 40), scopes[0]["f"](a, b, 40), rtol=1e-12)


@pytest.mark.parametrize("body", DEPENDENT.values(), ids=DEPENDENT)
def test_other_loops_stay_as_they_are(body):
    assert "prange" not in shared(body)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r = np.zeros(n)\nc = r[::-1]", "return r"),
        ("r = c = np.zeros(n)", "return r"),
        ("r = a", "return r"),
        ("r = np.zeros(n)", "return r, x"),
        ("r = np.zeros(n)", "for i in range(i):\n    r[i] = 0\nreturn r"),
    ],
    ids=[
        "a view of the array",
        "two names",
        "an array of the caller",
        "a value of the last iteration",
        "the last index",
    ],
)
def test_what_surrounds_a_loop_matters(before, after):
    body = "for i in range(n):\n    x = b[i] + 1\n    r[i] = x"
    assert "prange" in shared(body)
    assert "prange" not in shared(body, before=before, after=after)
