"""scipy.special.softplus, a dedicated ufunc."""

from scipy.special import softplus


def run(x, out):
    softplus(x, out=out)
