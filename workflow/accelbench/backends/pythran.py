"""Pythran: NumPy expressions and loops compiled ahead of time."""

from accelbench.backends import host

BACKENDS = {"pythran": "pythran"}
PACKAGES = {"pythran": ("pythran",)}
ENVIRONMENT = "pythran"
probe, Session = host.probe, host.Session
