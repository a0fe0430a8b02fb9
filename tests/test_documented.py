"""Tests that commands, options, keys, columns and outcomes are documented once.

Other tests check that generated texts match the code, and that pages are plain and complete.
"""

import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from typing import get_args

import generated
import jsonschema
import pytest
import yaml

from accelbench import project
from accelbench.analysis import tables
from accelbench.config.model import EnvironmentRequest, Sweep
from accelbench.lectures import entries
from accelbench.model.record import Outcome

DOCS = sorted((project.ROOT / "docs").glob("*.md"))
PAGES = [
    *DOCS,
    project.ROOT / "SECURITY.md",
    *(
        project.ROOT / name
        for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "config/README.md", "results/README.md")
    ),
    project.ROOT / "exercises" / "README.md",
]
MOST_WORDS = 35  # maximum number of words of a sentence
README_WORDS = 500


def names(page):
    return str(page.relative_to(project.ROOT))


def prose(text):
    """Yield the paragraphs, list items and cells of tables of a Markdown page, without its code."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    text = re.sub(r"^    .*$", "", text, flags=re.M)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|(?<=\|)\n", text):
        yield from block.strip().strip("|").split(" | ") if block.lstrip().startswith("|") else [block]


def sentences(text):
    """Yield the sentences of a Markdown page, with inline code as one word and links as their texts."""
    for block in prose(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", lambda link: link[1][:1].upper() + link[1][1:], block)
        plain = re.sub(r"`[^`]*`", "Code", plain).replace("accelbench", "Accelbench")
        plain = re.sub(r"^\s*(?:[-*]|\d+\.|#+) |[*\[\]]", "", plain)
        yield from re.split(r"(?<=[.!?])[)\"”]?\s+(?=\W*[A-Z0-9])", " ".join(plain.split()))


def length(sentence):
    return len(re.findall(r"\S*\w\S*", sentence))


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_no_sentence_is_long(page):
    long = [each for each in sentences(page.read_text("utf-8")) if length(each) > MOST_WORDS]
    assert not long, "\n".join(long)


def test_a_long_sentence_is_found():
    words = " ".join(["word"] * (MOST_WORDS + 1))
    text = f"Short. {words}.\n\n- {words}\n\n| a | {words} |\n\n```\n{words}\n```\n\n    {words}\n"
    assert len([each for each in sentences(text) if length(each) > MOST_WORDS]) == 3


def test_readme_is_short_and_says_workflow():
    text = (project.ROOT / "README.md").read_text("utf-8")
    assert len(text.split()) <= README_WORDS
    assert "Snakemake workflow" in text


@pytest.mark.parametrize("path", generated.FILES, ids=names)
def test_generated_parts_are_as_the_code_has_them(path):
    assert path.read_text("utf-8") == generated.FILES[path](), "run python tests/support/generated.py"


def test_every_command_and_option_is_documented_once():
    """The help of each command is only in docs/commands.md, and describes every option once."""
    text = (project.ROOT / "docs" / "commands.md").read_text("utf-8")
    for words, command in generated.commands().items():
        (block,) = re.findall(rf"^## {words}\n\n```text\n(.*?)^```$", text, re.M | re.S)
        options = block.partition("Options:")[2]
        for option in (name for parameter in command.params for name in parameter.opts if name.startswith("--")):
            assert len(re.findall(rf"^  {option}\b", options, re.M)) == 1, (words, option)
    assert not [names(page) for page in PAGES if page.name != "commands.md" and "\nUsage: " in page.read_text("utf-8")]


def first_cells(path):
    """Count the names in the first cells of a page's tables."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", path.read_text("utf-8"), re.M)
    return Counter(name for row in rows for name in re.findall(r"`(\w+)`", row))


def test_every_table_and_column_is_documented_once():
    counted = first_cells(project.ROOT / "docs" / "tables.md")
    columns = {column for module in tables.find().values() for column in module.COLUMNS}
    assert set(counted) == columns | tables.find().keys()
    assert {name for name, number in counted.items() if number > 1} == columns & tables.find().keys()


def test_every_outcome_is_documented_once():
    text = (project.ROOT / "docs" / "glossary.md").read_text("utf-8")
    for outcome in get_args(Outcome):
        assert len(re.findall(rf"^\| \*\*{outcome.replace('_', ' ')}\*\* \| ", text, re.M)) == 1, outcome


def test_every_key_of_a_configuration_is_documented_once():
    text = (project.ROOT / "config" / "README.md").read_text("utf-8")
    for key in generated.Config.model_fields.keys() - generated.SECTIONS.keys():
        assert text.count(f"\n### `{key}`\n") == 1, key
    for section, model in generated.SECTIONS.items():
        assert first_cells_of_section(text, section) == list(model.model_fields), section
    assert re.findall(r"^### `kernels\.<kernel>\.(\w+)`$", text, re.M) == list(Sweep.model_fields)
    environments = text.partition("\n### `environments`\n")[2].partition("\n### ")[0]
    assert re.findall(r"^- `(\w+)`: ", environments, re.M) == list(EnvironmentRequest.model_fields)


@pytest.mark.parametrize(
    "model", [entries.Entry, entries.Part, entries.FigureRow, entries.Claim, entries.Recorded, entries.SlideCode]
)
def test_every_key_of_a_figure_is_documented(model):
    text = (project.ROOT / "config" / "README.md").read_text("utf-8").partition("\n## The lectures' figures")[2]
    assert not [key for key in model.model_fields if not re.search(rf"`{key}\b", text)]


def first_cells_of_section(text, section):
    """Return the names in the first cells of a generated table, in their order."""
    return re.findall(r"^\| `(\w+)` \|", re.search(generated.TABLE.format(section), text, re.S)[0], re.M)


@pytest.mark.parametrize("page", DOCS, ids=names)
def test_a_page_says_its_purpose_first(page):
    _, first, *_ = page.read_text("utf-8").split("\n\n")
    assert first.startswith("This page "), first


def test_every_step_of_a_path_of_values_is_in_the_package():
    paths = (
        (project.ROOT / "docs" / "design.md").read_text("utf-8").partition("\n## Paths of values through the code\n")[2]
    )
    steps = re.findall(r"^    ([a-z_]+(?:\.\w+)+)(?:,|  )", paths, re.M)
    assert len(steps) > 40
    for step in steps:
        owner, _, name = step.rpartition(".")
        thing = pkgutil.resolve_name(f"accelbench.{owner}")
        assert hasattr(thing, name) or name in thing.__annotations__, step


def test_every_page_is_in_the_navigation_once():
    text = (project.ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"[\w-]+\.md", text)
    assert len(listed) == len(set(listed))
    assert {page.name for page in DOCS} <= set(listed)
    assert re.findall(r"^  - (\w+):$", text, re.M) == ["Start", "Use", "Understand", "Extend", "Reference"]


@pytest.mark.parametrize("path", sorted((project.ROOT / "config").glob("*.yaml")), ids=lambda path: path.name)
def test_the_schema_accepts_configurations_that_come_along(path):
    if path.name not in ("figures.yaml", "lessons.yaml"):
        jsonschema.validate(yaml.safe_load(path.read_text()), yaml.safe_load(generated.SCHEMA.read_text()))


@pytest.mark.parametrize(
    "wrong", [{"kernel": ["x"]}, {"protocol": {"repetitions": 0}}, {"machines": {"a": {"gpu": -1}}}]
)
def test_the_schema_refuses_what_the_models_refuse(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, yaml.safe_load(generated.SCHEMA.read_text()))


def test_the_console_script_is_the_same_command_line():
    scripts = tomllib.loads((project.ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"accelbench": "accelbench.__main__:app"}
    code = "from accelbench.__main__ import app; app()"
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    command = [sys.executable, "-c", code, "bundle", "--help"]
    printed = subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout
    assert "Pack results" in printed
