"""What asks for the same again: the configurations that results came from."""

import contextlib
import itertools
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from accelbench import project
from accelbench.config.model import Config
from accelbench.config.reading import read
from accelbench.errors import InputError
from accelbench.model.metadata import KernelMetadata, Measuring


@dataclass(frozen=True)
class Repeat:
    """Measurings of one commit and configuration, by the latest of them.

    common    the configuration as plain data, without its `kernels`: a run's own name its kernel alone
    sweeps    {kernel: what the configuration says of it}
    commands  those of the single measurings
    """

    latest: Measuring
    common: dict[str, Any]
    sweeps: dict[str, dict[str, Any]] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)


def to_repeat(runs: Iterable[tuple[str, Measuring]], machine: str) -> list[Repeat]:
    """The Repeats of (kernel, Measuring)s on a machine, newest first."""
    groups = {}
    for kernel, run in sorted(runs, key=lambda pair: pair[1].started, reverse=True):
        written = run.config.plain() | {"machines": {machine: {}}}
        names = dict.fromkeys(name for name in (*Config.model_fields, *written) if name in written)
        common = {name: written[name] for name in names if name != "kernels"}
        group = groups.setdefault((run.commit, run.dirty, yaml.safe_dump(common)), Repeat(run, common))
        group.sweeps.setdefault(kernel, run.sweep(kernel))
        if run.command not in group.commands:
            group.commands.append(run.command)
    return list(groups.values())


def option(metadata: KernelMetadata) -> str:
    """What a command is given so that it asks for what a kernel's last sweep did: `--configfile` with the file that the
    sweep's command named, else with that of config/ which differs in the fewest keys from what was recorded; "" for the
    default one."""
    sweeps = [run for run in metadata.runs if not run.of_a_figure]
    if not sweeps:
        return ""
    run, (default, *_) = sweeps[-1], _shipped()
    words = itertools.pairwise(shlex.split(run.command))
    named = next((after for word, after in words if word == "--configfile"), None)
    file = named or min(_shipped(), key=lambda name: _differences(_shipped()[name], metadata.kernel, run))
    return "" if file == default else f"--configfile {shlex.quote(file)}"


@cache
def _shipped():
    """{path in the project: Config} of the configurations in config/, the default first."""
    default, found = project.DEFAULT_CONFIG, {}
    for path in (default, *sorted(set(default.parent.glob("*.yaml")) - {default})):
        with contextlib.suppress(InputError):  # figures.yaml is none
            found[str(path.relative_to(project.ROOT))] = read(path)
    return found


def _differences(config: Config, kernel, run):
    """How many keys say something else of a kernel than they said in a Measuring."""
    known, written = config.model_dump(mode="json"), run.config.plain()
    same = [known.get(key) == value for key, value in written.items() if key not in ("kernels", "machines", "protocol")]
    protocol = config.protocol.model_dump(mode="json")
    same.append(protocol == protocol | run.config.protocol)
    same.append(config.kernels is None or kernel in config.kernels)
    sweep = config.sweep(kernel).model_dump(mode="json", exclude_defaults=True)
    same.append(sweep == {key: value for key, value in run.sweep(kernel).items() if value})
    return same.count(False)
