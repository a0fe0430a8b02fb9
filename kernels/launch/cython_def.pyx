"""An empty Cython function. Its time is the cost of a call from Python into C, without a device."""


def run(x):
    pass
