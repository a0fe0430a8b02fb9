"""Formats, one module each. The docstring of accelbench.export specifies a module."""
