"""A Cython function that does nothing: the crossing into C alone, nothing is launched."""


def run(x):
    pass
