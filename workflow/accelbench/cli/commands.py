"""The command line. Each command imports its modules lazily, so that --help is fast."""

from importlib import import_module

from accelbench.cli.app import app

# Modules of commands, in the order in which --help lists their commands
for group in ("trying", "sweep", "kernels", "stages", "results", "cases", "lectures"):
    import_module(f"accelbench.cli.{group}")

__all__ = ["app"]
