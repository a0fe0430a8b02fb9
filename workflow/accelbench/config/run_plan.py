"""Plan of a run in results/<machine>/plans/. Snakemake writes it before the first job, and every job reads it."""

from pathlib import Path

from accelbench.config.model import Config, Section
from accelbench.store import formats


class RunPlan(Section):
    """Settings of a run for the jobs of one machine.

    config       the configuration
    lectures     the configuration for the figures of lectures
    where        the source of the configuration, for messages
    configfiles  absolute paths of the configuration's files; empty for `config:` of a module
    cores        number of cores to measure with, None for all
    reports      folder of the reports of all machines
    """

    config: Config
    lectures: Config
    where: str
    configfiles: tuple[str, ...]
    cores: int | None
    reports: str


def read(path: Path) -> RunPlan:
    """Return the RunPlan in a file. Raise InputError if there is none."""
    return formats.read(RunPlan, path, "Run again: python -m accelbench run")
