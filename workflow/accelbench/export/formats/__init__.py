"""The formats, one module each; the docstring of accelbench.export says what a module has."""
