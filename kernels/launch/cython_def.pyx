"""An empty Cython function: the cost of crossing into C, without a device."""


def run(x):
    pass
