"""Export formats, one per module. The docstring of accelbench.export says what a module contains."""
