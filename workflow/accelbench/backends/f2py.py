"""f2py: Fortran called with NumPy arrays, by a part of NumPy. Matrices are in Fortran's order, columns first."""

from accelbench.backends import host

BACKENDS = {"f2py": "f2py"}
PACKAGES = {"f2py": ("numpy",)}
ENVIRONMENT = "f2py"
probe, Session = host.probe, host.Session
