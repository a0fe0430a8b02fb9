"""cupyx.scipy.ndimage.convolve1d, over the edges too, which are cut off."""

from cupyx.scipy.ndimage import convolve1d


def run(x, weights, out):
    first = (weights.size - 1) // 2
    return convolve1d(x, weights, mode="constant")[first : first + out.size]
