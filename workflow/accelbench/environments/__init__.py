"""Environments: separate Pythons in which the libraries of backends are installed.

placement        Environment, and in which of them the implementations of a kernel run
interpreter      Interpreter: version, packages and lock of a Python, which builds and keys of results depend on
describe_python  the script by which a Python describes itself
paths            where environments lie, and how messages name them

Workers run on the standard library, NumPy and their backend's library alone. So does the search for devices.
"""
