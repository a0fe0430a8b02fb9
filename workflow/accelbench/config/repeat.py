"""Configurations of earlier runs, and command-line options to use them again."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from accelbench import project
from accelbench.config.model import Config
from accelbench.model.metadata import KernelMetadata, Measuring


@dataclass(frozen=True)
class Repeat:
    """Group of measurements (Measurings) with the same commit and configuration.

    latest    newest Measuring of the group
    common    configuration as plain data, without `kernels`, which differ between Measurings
    sweeps    {kernel: its settings in the configuration}
    """

    latest: Measuring
    common: dict[str, Any]
    sweeps: dict[str, dict[str, Any]] = field(default_factory=dict)


def to_repeat(runs: Iterable[tuple[str, Measuring]], machine: str) -> list[Repeat]:
    """Group the (kernel, Measuring) pairs of a machine by commit and configuration. Return Repeats, newest first."""
    groups = {}
    for kernel, run in sorted(runs, key=lambda pair: pair[1].started, reverse=True):
        written = run.config.plain() | {"machines": {machine: {}}}
        names = dict.fromkeys(name for name in (*Config.model_fields, *written) if name in written)
        common = {name: written[name] for name in names if name != "kernels"}
        group = groups.setdefault((run.commit, run.dirty, yaml.safe_dump(common)), Repeat(run, common))
        group.sweeps.setdefault(kernel, run.sweep(kernel))
    return list(groups.values())


def option(metadata: KernelMetadata) -> str:
    """Return the command-line options, `--configfile FILE ...`, that choose the configuration of a kernel's last sweep.

    Return "" if the sweep had the default configuration.
    """
    sweeps = [run for run in metadata.runs if " lecture measure " not in run.command.partition("--")[0]]
    if not sweeps:
        return ""
    default, files = project.named(project.DEFAULT_CONFIG), sweeps[-1].configfiles
    # Older results do not name configuration files. Of the usual configurations of sweeps, only config/today.yaml had
    # environments then.
    if files is None:
        files = ["config/today.yaml"] if sweeps[-1].config.environments else [default]
    return "" if files == [default] else " ".join(f"--configfile {shlex.quote(file)}" for file in files)
