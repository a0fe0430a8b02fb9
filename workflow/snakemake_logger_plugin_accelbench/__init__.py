"""Snakemake's logger plugin `accelbench`, which Snakemake finds by the name of this module."""

from accelbench.cli.terminal import LogHandler

__all__ = ["LogHandler"]
