"""Parts of the documentation that are generated from the code.

`python tests/support/generated.py` writes these parts. tests/test_documented.py fails if they are out of date.
"""

import json
import re
import sys
from pathlib import Path

import click
import typer
import yaml

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))

from accelbench import project
from accelbench.cli import commands as cli
from accelbench.config.model import MOST_REPETITIONS, Build, Config, MachineRequest, Protocol
from accelbench.model.record import Record

ROOT = project.ROOT
PROGRAM = "python -m accelbench"
INTRODUCTION = f"""# Commands

This page has the help of every command. `python tests/support/generated.py` writes it. `make install` puts the
program `accelbench` into `.venv/bin`. This program is the same as `{PROGRAM}`. Most people need only `try`,
`run`, `list`, `check`, `new` and `compare`. The rules of the workflow call most of the others.
"""
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"
README = ROOT / "config" / "README.md"
TABLE = r"(<!-- generated: {} -->\n\n).*?(\n\n<!-- end -->)"
SECTIONS = {"protocol": Protocol, "build": Build, "machines": MachineRequest}
EXAMPLES = """
protocol:
  {repetitions: {min: 2, max: 8}, startup: false, budget_s: 1, min_rounds: 20, sample_s: 0.001, sample_cache_s: 0.01,
   sample_device_s: 0.0005, max_call_s: 10, long_call_s: 5, timeout_s: 20, energy_s: 1, cache: cold,
   memory_fraction: 0.4, seed: 1}
build:
  {cc: clang, cxx: clang++, fc: gfortran-14, rustc: .cargo/bin/rustc, cflags: [-O2], opencl_flags: [-cl-mad-enable],
   cuda_architectures: [sm_86], timeout_s: 1800, memory_gb: 16}
machines:
  {slurm_partition: cpu, slurm_account: physics, qos: long, constraint: epyc, gpu: 1, gpu_model: h100,
   requirements: TotalSlotCpus == 64, request_gpus: 1, price_per_hour: 3.2, power_w: 350, cores: 64}
"""


def commands():
    """Return {words of a command: click's Command}, subcommands included."""
    found = {}

    def add(group, words):
        for name, command in group.commands.items():
            found[f"{words}{name}"] = command
            if isinstance(command, click.Group) or hasattr(command, "commands"):
                add(command, f"{words}{name} ")

    add(typer.main.get_command(cli.app), "")
    return found


def help_of(words, command):
    """Return the text that `--help` of a command prints at 100 columns."""
    context = command.context_class(command, info_name=f"{PROGRAM} {words}", terminal_width=100, max_content_width=100)
    return command.get_help(context).rstrip()


def commands_page():
    sections = [
        f"## {words}\n\n```text\n{re.sub(' +$', '', help_of(words, command), flags=re.M)}\n```\n"
        for words, command in commands().items()
    ]
    return "\n".join([INTRODUCTION, *sections])


def table(name):
    """Return the Markdown table of a section's keys, from the descriptions of its fields."""
    section, examples = SECTIONS[name], yaml.safe_load(EXAMPLES)[name]
    plain = section().model_dump(mode="json")
    default = "" if section is MachineRequest else " default |"
    rows = [f"| key |{default} meaning | example |", f"| --- |{default and ' --- |'} --- | --- |"]
    for key, field in section.model_fields.items():
        value = default and f" {_written(plain[key])} |"
        rows.append(f"| `{key}` |{value} {field.description} | `{key}: {_written(examples[key])}` |")
    return "\n".join(rows)


def _written(value):
    """Return the text of a value as it is written in a configuration."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1000).removesuffix("\n...\n").rstrip()
    return re.sub(r"^(\d+)\.0$", r"\1", text)


def readme():
    """Return the text of config/README.md with its tables of keys generated from the models."""
    text = README.read_text("utf-8")
    for name in SECTIONS:
        text = re.sub(TABLE.format(name), lambda m, name=name: m[1] + table(name) + m[2], text, flags=re.DOTALL)
    return text


def schema():
    """Return the JSON Schema of a configuration as YAML, without references, for Snakemake's workflow catalogue."""
    whole = Config.model_json_schema(mode="serialization")
    definitions = whole.pop("$defs")
    definitions["BlockSize"] = {"type": ["integer", "string"], "description": "256, or 16x16"}
    plain = _plain(whole, definitions)
    kernels = plain["properties"]["kernels"]
    kernels["type"] = ["object", "array"]  # a mapping or a list of names
    kernels["additionalProperties"]["properties"]["options"]["additionalProperties"] = {}  # a list or one value
    repetitions = plain["properties"]["protocol"]["properties"]["repetitions"]
    repetitions |= {"type": ["object", "integer"], "minimum": 1, "maximum": MOST_REPETITIONS}  # or a number
    for name in ("kernels", "machines", "environments"):
        plain["properties"][name]["additionalProperties"]["type"] = ["object", "null"]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    text = yaml.safe_dump(head | plain, sort_keys=False, allow_unicode=True, width=116)
    return f"# The configuration's keys. `python tests/support/generated.py` writes this file from the models.\n{text}"


def _plain(part, definitions):
    """Return a part of a schema with its references replaced and without titles.

    A choice between null and one other type becomes that type.
    """
    if isinstance(part, list):
        return [_plain(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        part = definitions[part["$ref"].rpartition("/")[2]] | {k: v for k, v in part.items() if k != "$ref"}
    named = isinstance(part.get("title"), str)
    part = {key: _plain(value, definitions) for key, value in part.items() if not (named and key == "title")}
    choices = [each for each in part.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) == 1:
        part = choices[0] | {key: value for key, value in part.items() if key not in ("anyOf", "default")}
    return part


def record_schema():
    return json.dumps(Record.model_json_schema(), indent=2) + "\n"


RECORD = ROOT / "workflow" / "accelbench" / "model" / "record.schema.json"
FILES = {ROOT / "docs" / "commands.md": commands_page, README: readme, SCHEMA: schema, RECORD: record_schema}

if __name__ == "__main__":
    for path, text in FILES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text(), "utf-8")
