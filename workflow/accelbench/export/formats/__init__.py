"""Formats, one module each. The docstring of accelbench.export says what a module contains."""
