"""cupyx.scipy.special.softmax: CuPy's passes in a function, a new array for each."""

from cupyx.scipy.special import softmax


def run(x, out):
    return softmax(x, axis=1)
