"""Derivatives in a discontinuous Galerkin method: gradients of polynomials on tetrahedra, element by element.

On each element a polynomial of degree `order` is given by its values at (order + 1)(order + 2)(order + 3) / 6 nodes.
Three matrices, the same for all elements, turn the values into the derivatives along the edges of a reference
tetrahedron; nine geometric factors of the element turn those into derivatives with respect to x, y and z:

    out[e, i, a] = sum over c of factors[e, i, c] * (sum over b of u[e, b] * matrices[b, c, a])

The sums over b are one matrix product with few columns, from 4 to 220 for orders 1 to 9. A library computes it for all
elements at once, writes the derivatives along the edges to memory and reads them again for the factors; a dedicated
kernel keeps them. A block of threads can use a loaded entry of a matrix for several elements. The best number of
elements differs from order to order, so the lecture's showcase generates code for each order and measures what is
fastest.

The nodes are equidistant here. Those of a real method lie elsewhere, which gives other matrices of the same size.

Not here: numexpr, which has no matrix product.

Sources: A. Kloeckner, T. Warburton, J. Bridge, J. S. Hesthaven, J. Comput. Phys. 228 (2009) 7863, for the method; P.
Silvester, Int. J. Eng. Sci. 7 (1969) 849, for its polynomials on equidistant nodes.
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
    """How many nodes an element has."""
    return math.comb(int(order) + 3, 3)


def grid(order):
    """Four whole numbers a node, shape (nodes, 4), which add up to `order`: barycentric coordinates times the order."""
    return np.array(
        [(order - i - j - k, i, j, k)
         for i in range(order + 1) for j in range(order + 1 - i) for k in range(order + 1 - i - j)]
    )  # fmt: skip


def derivative_matrices(order):
    """The derivatives along three edges of the polynomial that is 1 at one node and 0 at the others, at every node.

    In float64, shape (nodes, 3, nodes): the indices are the polynomial's node, the edge, and the node of the value. The
    polynomial is the product of four, one for each barycentric coordinate n / order: n (n - 1) ... (n - b + 1) / b! for
    node b, which is `value[b, n]` at a node, a binomial coefficient. Along an edge one coordinate grows as another one
    shrinks.
    """
    nodes, numbers = grid(order), range(order + 1)
    value = np.array([[math.comb(n, b) for n in numbers] for b in numbers], np.float64)
    slope = np.array([[_slope(b, n) for n in numbers] for b in numbers], np.float64) * order
    values, slopes = (table[nodes[:, np.newaxis], nodes] for table in (value, slope))  # (of node, at node, coordinate)
    along = [slopes[..., c] * np.delete(values, c, axis=2).prod(axis=2) for c in range(4)]
    return np.stack([along[c] - along[0] for c in (1, 2, 3)], axis=1)


def _slope(b, n):
    """The derivative by n of n (n - 1) ... (n - b + 1) / b!: a sum of products that each leave out one factor."""
    factors = [n - q for q in range(b)]
    return sum(math.prod(factors[:q] + factors[q + 1 :]) for q in range(b)) / math.factorial(b)


def inputs(size, dtype, rng, order):
    """matrices: (nodes, 3, nodes), as `derivative_matrices` says; u: (size, nodes) values and factors: (size, 3, 3),
    independent and uniform in [-1, 1)."""
    u, factors = (2 * rng.random(shape, dtype=dtype) - 1 for shape in ((size, nodes_of(order)), (size, 3, 3)))
    return {"matrices": derivative_matrices(int(order)).astype(dtype), "u": u, "factors": factors}


def outputs(size, dtype, order):
    return (Output("out", (size, 3, nodes_of(order)), dtype),)


def reference(matrices, u, factors):
    """The derivatives in float64, shape (size, 3, nodes)."""
    return _derivatives(*(array.astype(np.float64) for array in (matrices, u, factors)))


def _derivatives(matrices, u, factors):
    nodes = len(matrices)
    return factors @ (u @ matrices.reshape(nodes, 3 * nodes)).reshape(len(u), 3, nodes)


def tolerance(matrices, u, factors, dtype):
    """(nodes + 3) u, u = eps / 2, times the same sums of absolute values, and as much again with float64's u for the
    reference: the worst case for any order of summation (Higham, Accuracy and Stability of Numerical Algorithms,
    section 3.1), first of `nodes` products, then of three of these sums with their factors.
    """
    magnitudes = _derivatives(*(np.abs(array).astype(np.float64) for array in (matrices, u, factors)))
    return (len(matrices) + 3) / 2 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * magnitudes


def bytes_moved(size, itemsize, order):
    nodes = nodes_of(order)
    return (3 * nodes**2 + size * (nodes + 9)) * itemsize, 3 * size * nodes * itemsize


def flops(size, order):
    """Two per entry of the matrices for each element, and five for each of its results."""
    nodes = nodes_of(order)
    return size * (6 * nodes**2 + 15 * nodes)
