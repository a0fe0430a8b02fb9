"""Environments: separate Pythons in which the libraries of backends are installed.

placement        Environment, and the choice of an environment for each implementation of a kernel
interpreter      Interpreter: version, packages and lock (file with pinned versions of packages) of a Python
describe_python  a script that describes the Python that runs it
paths            paths of environments, and their names in messages

Workers and searches for devices run in environments. An environment needs only NumPy and its backends' libraries.
"""
