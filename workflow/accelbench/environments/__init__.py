"""Environments: separate Pythons in which the libraries of backends are installed.

placement        Environment, and the choice of an environment for each implementation of a kernel
interpreter      Interpreter: version, packages and lock of a Python, which builds and keys of results depend on
describe_python  a script that describes the Python that runs it
paths            paths of environments, and their names in messages

Workers, and processes that search for devices, need only the standard library, NumPy and their backend's library.
"""
