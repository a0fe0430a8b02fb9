"""Plan of a run in results/<machine>/plans/. Snakemake writes it before the first job, and every job reads it."""

from pathlib import Path

from accelbench.config.model import Config, Section
from accelbench.store import formats


class RunPlan(Section):
    """Settings of a run for the jobs of one machine.

    config       the configuration
    lectures     the configuration for the figures of lectures
    where        text by which messages name the configuration's files
    configfiles  absolute paths of these files; empty if the configuration comes from `config:` of a Snakemake module
    cores        number of cores to measure with; None for all cores
    reports      folder of the reports of all machines
    """

    config: Config
    lectures: Config
    where: str
    configfiles: tuple[str, ...]
    cores: int | None
    reports: str


def read(path: Path) -> RunPlan:
    """Return the RunPlan in a file. Raise InputError if the file is missing or has no valid RunPlan."""
    return formats.read(RunPlan, path, "Run again: python -m accelbench run")
