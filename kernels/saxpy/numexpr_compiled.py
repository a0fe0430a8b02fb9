"""numexpr.NumExpr compiles the expression once, so that calls need not look it up."""

import numexpr
import numpy as np

PARAMETERS = ("threads",)


def prepare(case):
    real = {"float64": np.float64, "float32": float}[case.dtype]  # numexpr's names of the types
    saxpy = numexpr.NumExpr("a * x + y", [("a", real), ("x", real), ("y", real)])
    return lambda a, x, y, out: saxpy(a, x, y, out=out, ex_uses_vml=False)
