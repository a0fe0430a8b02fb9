"""scipy.special.softmax: NumPy's passes in a function, a new array for each pass."""

from scipy.special import softmax


def run(x, out):
    return softmax(x, axis=1)
