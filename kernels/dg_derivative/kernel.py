"""Derivatives in a discontinuous Galerkin method: gradients of polynomials on tetrahedra, element by element.

A polynomial of degree `order` is given on each element by its values at (order + 1)(order + 2)(order + 3) / 6 nodes.
Three matrices, the same for all elements, turn the values into the derivatives along the edges of a reference
tetrahedron. Nine geometric factors per element turn those into derivatives with respect to x, y and z:

    out[e, i, a] = sum over c of factors[e, i, c] * (sum over b of u[e, b] * matrices[b, c, a])

The sums over b are the product of u and the three matrices. u has only 4 to 220 columns for orders 1 to 9. A library
computes this product for all elements at once, writes the derivatives along the edges to memory and reads them again
for the factors. A dedicated kernel keeps these derivatives in registers. A block of threads can use a loaded matrix
entry for several elements. The best number of elements differs from order to order, so the lecture's showcase generates
code for each order and measures which variant is fastest.

The nodes here are equidistant. Practical methods place their nodes elsewhere, which gives other matrices of the same
size.

There is no numexpr implementation: numexpr has no matrix product.

Sources: A. Kloeckner, T. Warburton, J. Bridge, J. S. Hesthaven, J. Comput. Phys. 228 (2009) 7863, for the method; P.
Silvester, Int. J. Eng. Sci. 7 (1969) 849, for the polynomials on equidistant nodes.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Derivatives of a discontinuous Galerkin method",
    size="number of elements",
    sizes={"smoke": (10,), "default": (100, 10_000), "lecture": (100, 1_000, 10_000, 100_000)},
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_matmul",),
    lectures=("gtc2010",),
    options={"order": 4},
    check_sizes=(1_000,),
)


def nodes_of(order):
    """Return the number of nodes of an element."""
    return math.comb(int(order) + 3, 3)


def grid(order):
    """Return the nodes' barycentric coordinates times `order`: whole numbers, shape (nodes, 4). Rows sum to `order`."""
    return np.array(
        [(order - i - j - k, i, j, k)
         for i in range(order + 1) for j in range(order + 1 - i) for k in range(order + 1 - i - j)]
    )  # fmt: skip


def derivative_matrices(order):
    """Return the derivatives of the basis polynomials along three edges, at every node.

    A basis polynomial is 1 at its node and 0 at all other nodes. The result is float64, shape (nodes, 3, nodes). The
    indices of the result are the polynomial, the edge and the node of the value. A polynomial is the product of four
    factors, one for each barycentric coordinate n / order. If the polynomial's node has the coordinate b / order, the
    factor is n (n - 1) ... (n - b + 1) / b!. At a node, n is an integer, so that this factor equals the binomial
    coefficient `value[b, n]`. Along an edge, one coordinate grows as the first one shrinks.
    """
    nodes, numbers = grid(order), range(order + 1)
    value = np.array([[math.comb(n, b) for n in numbers] for b in numbers], np.float64)
    slope = np.array([[_slope(b, n) for n in numbers] for b in numbers], np.float64) * order
    values, slopes = (table[nodes[:, np.newaxis], nodes] for table in (value, slope))  # polynomial, node, coordinate
    along = [slopes[..., c] * np.delete(values, c, axis=2).prod(axis=2) for c in range(4)]
    return np.stack([along[c] - along[0] for c in (1, 2, 3)], axis=1)


def _slope(b, n):
    """Return the derivative of n (n - 1) ... (n - b + 1) / b! by n: a sum of products that each omit one factor."""
    factors = [n - q for q in range(b)]
    return sum(math.prod(factors[:q] + factors[q + 1 :]) for q in range(b)) / math.factorial(b)


def inputs(size, dtype, rng, order):
    """Return matrices: (nodes, 3, nodes), from `derivative_matrices`; u: (size, nodes) values; factors: (size, 3, 3).

    u and factors are independent and uniform in [-1, 1).
    """
    u, factors = (2 * rng.random(shape, dtype=dtype) - 1 for shape in ((size, nodes_of(order)), (size, 3, 3)))
    return {"matrices": derivative_matrices(int(order)).astype(dtype), "u": u, "factors": factors}


def outputs(size, dtype, order):
    return (Output("out", (size, 3, nodes_of(order)), dtype),)


def reference(matrices, u, factors):
    """Return the derivatives in float64, shape (size, 3, nodes)."""
    return _derivatives(*(array.astype(np.float64) for array in (matrices, u, factors)))


def _derivatives(matrices, u, factors):
    nodes = len(matrices)
    return factors @ (u @ matrices.reshape(nodes, 3 * nodes)).reshape(len(u), 3, nodes)


def tolerance(matrices, u, factors, dtype):
    """Return (nodes + 3) eps / 2 times the same sums of the terms' absolute values, plus the reference's error.

    The reference's error has the same bound with float64's eps. The bound is the worst case for any order of summation
    (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1): first of `nodes` products, then of three such
    sums times their factors.
    """
    magnitudes = _derivatives(*(np.abs(array).astype(np.float64) for array in (matrices, u, factors)))
    return (len(matrices) + 3) / 2 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * magnitudes


def bytes_moved(size, itemsize, order):
    nodes = nodes_of(order)
    return (3 * nodes**2 + size * (nodes + 9)) * itemsize, 3 * size * nodes * itemsize


def flops(size, order):
    """Return two operations per matrix entry for each element, and five for each result."""
    nodes = nodes_of(order)
    return size * (6 * nodes**2 + 15 * nodes)
