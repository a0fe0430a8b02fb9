"""nanobind: C++ that makes functions of C and C++ callable with NumPy arrays."""

from accelbench.backends import host

BACKENDS = {"nanobind": "nanobind"}
PACKAGES = {"nanobind": ("nanobind",)}
ENVIRONMENT = "nanobind"
probe, Session = host.probe, host.Session
