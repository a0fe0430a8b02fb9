"""Tests that config/README.md explains every key, and that the supplied configurations are valid."""

import re

import pytest
import yaml
from pydantic import BaseModel

from accelbench import config as configuration
from accelbench import project
from accelbench.config import select


def model_keys():
    """Yield (section, key) of every configuration key; the section of a top-level key is None."""
    for name, field in configuration.Config.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from ((name, key) for key in section.model_fields)
        else:
            yield None, name
    yield from (("kernels.<kernel>", key) for key in configuration.Sweep.model_fields)
    yield from (("machines", key) for key in configuration.MachineRequest.model_fields)


@pytest.mark.parametrize(("section", "key"), list(model_keys()))
def test_readme_explains_every_key_with_an_example(section, key):
    text = (project.ROOT / "config" / "README.md").read_text()
    if section in ("protocol", "build"):
        part = text[text.index(f": `{section}`") :]
        row = re.search(rf"^\| `{key}` \| (?P<default>.+?) \| .{{20,}} \| `{key}: (?P<example>.+)` \|$", part, re.M)
        model = {"protocol": configuration.Protocol, "build": configuration.Build}[section]
        default = yaml.safe_load(row["default"])
        assert default == model().model_dump(mode="json")[key]
        assert configuration.parse({section: {key: yaml.safe_load(row["example"])}})
        return
    if section == "machines":
        row = re.search(
            rf"^\| `{key}` \| (?:SLURM|HTCondor|SLURM and HTCondor|pages): .{{10,}} \| `({key}: .+)` \|$", text, re.M
        )
        assert configuration.parse({"machines": {"node": yaml.safe_load(row[1])}})
        return
    heading = f"### `{section}.{key}`" if section else f"### `{key}`"
    part = text[text.index(heading + "\n") :]
    example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", part, re.S)[1])
    assert list(example) == [key]
    if section:
        assert configuration.Sweep.model_validate(example)
    else:
        assert configuration.parse(example)


def test_readme_explains_no_key_that_is_gone():
    text = (project.ROOT / "config" / "README.md").read_text()
    headings = set(re.findall(r"^### `(.+)`$", text, re.M)) | set(re.findall(r"^\| `(\w+)` \|", text, re.M))
    known = {f"{section}.{key}" if section == "kernels.<kernel>" else key for section, key in model_keys()}
    assert headings - known == set()


@pytest.mark.processes
@pytest.mark.parametrize("path", sorted((project.ROOT / "config").glob("*.yaml")), ids=lambda path: path.name)
def test_configurations_that_come_along_are_valid(path):
    if path.name not in ("figures.yaml", "lessons.yaml"):
        assert select.plan(configuration.read(path), path)[1] == {}
