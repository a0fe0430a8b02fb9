"""Tests that published examples are complete and small, name no user's folders, and can be rendered again."""

import itertools
import json
import lzma
import os
import re
import shutil
import socket
import subprocess
from decimal import Decimal

import pandas as pd
import pretended_results.cpu
import pytest
from examples import EXAMPLES as ROOT
from examples import MACHINES, RENDERED
from read_results import published_table, read, write_report
from report_page import read_pages

from accelbench import project
from accelbench.archive import publishing
from accelbench.errors import InputError
from accelbench.model.record import case_id
from accelbench.report import commands
from accelbench.store import files, load

pytestmark = pytest.mark.usefixtures("svg_alone")
EXAMPLES = [ROOT / name for name in MACHINES]
MOST_BYTES = 15e6  # maximum size of all committed files of the examples, in bytes
FOLDERS = re.compile(r"(?<![\w.])/(?:home|root|work|tmp|Users)/\w")


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.name)
def example(request):
    return request.param


def test_there_are_examples():
    assert EXAMPLES


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


with_pages = pytest.mark.parametrize("example", [ROOT / name for name in RENDERED], ids=lambda path: path.name)
SMALLEST = min([ROOT / name for name in RENDERED], key=size, default=None)
# The examples as parameters of long tests: all examples except the smallest are marked as slow.
smallest_first = pytest.mark.parametrize(
    "example",
    [pytest.param(ROOT / name, marks=[] if ROOT / name == SMALLEST else [pytest.mark.slow]) for name in RENDERED],
    ids=lambda path: path.name,
)


@smallest_first
def test_an_example_is_rendered_again_from_its_results_alone(example, tmp_path):
    """The new pages equal the published ones byte for byte: no random numbers, times of rendering or paths are in them.

    After a change of the pages, `make examples` renders the committed pages again.
    """
    copy = tmp_path / example.name
    shutil.copytree(example, copy, ignore=lambda folder, names: made_from_results(names, folder == str(example)))
    for page in example.parent.glob("machines.html"):  # each machine's pages link to it
        shutil.copy(page, tmp_path)
    publishing.render(copy)
    made, published = contents(copy), contents(example)
    assert {"index.html", "machine.html"} < published.keys()
    assert (copy / "tables" / "timings.csv").is_file()
    assert made.keys() == published.keys()
    differing = {name: first_difference(made[name], published[name]) for name in made if made[name] != published[name]}
    assert not differing


def pages(folder):
    return [path for place in publishing.PAGES for path in folder.glob(place)]


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for place in ("figures/**/*.svg", *publishing.PAGES)
        for path in folder.glob(place)
    }


def first_difference(made, published):
    """Return the first line in which `made` and `published` differ, from both, shortened for a message."""
    pairs = itertools.zip_longest(made.decode().splitlines(), published.decode().splitlines())
    return next((f"{here!s:.300} | {there!s:.300}" for here, there in pairs if here != there), "the ends of lines")


def made_from_results(names, at_the_top):
    made = ("tables", "figures")
    return {name for name in names if at_the_top and (name in made or name.endswith(".html"))}


@pytest.fixture
def with_lectures(example):
    if not (example / "lectures").exists():
        pytest.skip("no figure of the lectures was measured on this machine")
    return example


@with_pages
def test_an_example_shows_every_figure_that_its_machine_could_make(with_lectures):
    told = "".join(path.read_text(encoding="utf-8") for path in pages(with_lectures))
    cannot = re.findall(r"nothing was profiled yet|Cython has made no annotated page", told)
    assert not cannot


@with_pages
def test_every_link_of_an_example_leads_somewhere(example):
    """Pages of a machine link to the page of all machines only if that page lists the machine."""
    dead, unrendered = {}, {f"../{name}/index.html" for name in MACHINES}  # `make examples` renders these pages
    for page in example.rglob("*.html"):
        links = re.findall(r'<a\b[^>]*?\bhref="([^"#:]+)(?:#[^"]*)?"', page.read_text(encoding="utf-8"))
        lost = {link for link in links if not (page.parent / link).exists()} - unrendered
        dead |= {str(page.relative_to(example)): lost} if lost else {}
    assert dead == {}
    laid = f'href="{example.name}/index.html"' in (example.parent / "machines.html").read_text(encoding="utf-8")
    for page in pages(example):
        assert laid or "machines.html" not in page.read_text(encoding="utf-8")


@with_pages
def test_the_pages_of_an_example_lead_to_each_other(with_lectures):
    assert 'href="lectures.html"' in (with_lectures / "index.html").read_text(encoding="utf-8")
    text = (with_lectures / "lectures.html").read_text(encoding="utf-8")
    assert 'href="index.html"' in text
    lectures = {f"lectures/{path.name}" for path in (with_lectures / "lectures").glob("*.html")}
    assert lectures
    assert lectures == set(re.findall(r'href="(lectures/[^"#]+)"', text))


def test_an_example_names_nobodys_folders(example):
    found = {path.name: FOLDERS.search(text(path)) for path in example.rglob("*") if path.is_file()}
    assert not {name: match.group() for name, match in found.items() if match}


def text(path):
    data = path.read_bytes()
    return (lzma.decompress(data) if path.suffix == ".xz" else data).decode()


def test_what_is_committed_is_small_and_has_the_pages_of_two_machines():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", ROOT]
    listed = subprocess.run(command, cwd=project.ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    committed = [project.ROOT / name for name in listed.stdout.split("\0") if name]
    assert sum(path.stat().st_size for path in committed if path.exists()) <= MOST_BYTES
    names = {path.relative_to(ROOT).as_posix() for path in committed}
    assert {name for name in names if name.endswith("/index.html")} == {"cpu/index.html", "h200/index.html"}
    assert {"machines.html", "cpu/lectures.html", "h200/lectures.html"} < names
    assert all({f"{name}/machine.json", f"{name}/{publishing.MANIFEST}"} < names for name in MACHINES)
    measured = {name.split("/")[0] for name in names if re.fullmatch(r"[^/]*/timings/.*\.jsonl\.xz", name)}
    assert measured == set(MACHINES)
    assert not {name for name in names if re.search(r"view\.json$|slides|\.(txt|pdf|png)$", name)} - {
        f"{name}/{publishing.MANIFEST}" for name in MACHINES
    }


@pytest.mark.slow
def test_published_samples_have_as_many_digits_as_a_clock_tells(tmp_path):
    """Samples have at most nine significant digits. Apart from the machine's name, nothing else in records changes."""
    measured = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    publishing.publish(measured, "mine", tmp_path / "mine")
    before, after = (
        {case_id(record): record for record in load.load_records(place)} for place in (measured, tmp_path / "mine")
    )
    assert before.keys() == after.keys()
    told = set()
    for case, record in before.items():
        expected = {}
        for kind, timing in record.timings.items():
            short = after[case].timings[kind]
            for mine, theirs in zip(timing.samples_s, short.samples_s, strict=True):
                assert theirs == pytest.approx(mine, rel=5.1e-9)
                told |= {len(f"{Decimal(repr(seconds)).normalize():e}".split("e")[0]) - 1 for seconds in theirs}
            expected[kind] = timing.model_copy(update={"samples_s": short.samples_s})
        assert record.model_copy(update={"machine": "mine", "timings": expected}) == after[case]
    assert max(told) == 9


def test_commands_of_a_published_page_name_files_that_its_readers_have(tmp_path):
    """Commands on published pages name the project's configurations that measured a kernel.

    If the project has none of these configurations, the commands name the user's.
    """
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum", "vector_multiply"))
    for kernel, names in (("vector_sum", ["config/smoke.yaml", "desk.yaml"]), ("vector_multiply", ["desk.yaml"])):
        path = folder / "kernels" / f"{kernel}.json"
        told = json.loads(path.read_text())
        told["runs"][-1]["configfiles"] = names
        path.write_text(json.dumps(told))
    published = publishing.publish(folder, "mine", tmp_path / "mine").parent
    analysis = read(published)
    assert commands.option(analysis, "vector_sum") == "--configfile config/smoke.yaml"
    assert commands.option(analysis, "vector_multiply") == "--configfile desk.yaml"
    assert commands.option(read(folder), "vector_sum") == "--configfile config/smoke.yaml --configfile desk.yaml"


@pytest.mark.slow
def test_what_is_published_leads_to_the_page_of_all_machines_where_that_holds_it(tmp_path):
    """A report does not link to the page of all machines, since `snakemake --report` packs only the report."""
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    for name, leads in (("laptop", True), ("other", False)):
        (tmp_path / "machines.html").write_text('<a href="laptop/index.html">laptop</a>')
        published = publishing.publish(folder, name, tmp_path / name).parent
        for path in pages(published):
            assert ("machines.html" in path.read_text()) is leads, path
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "machines.html").write_text('<a href="local/index.html">local</a>')
    index = write_report(folder, tmp_path / "reports" / "local")
    assert "machines.html" not in read_pages(index)


@pytest.mark.slow
def test_pages_of_what_is_no_more_are_gone_when_a_folder_is_rendered_again(tmp_path):
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    published = publishing.publish(folder, "mine", tmp_path / "mine").parent
    before = {path: path.read_text() for path in pages(published)}
    for name in ("kernels/gone.html", "lectures/gone.html", "figures/report/gone.svg"):
        (published / name).parent.mkdir(exist_ok=True)
        (published / name).write_text("of results that are no more")
    publishing._write_manifest(published, others=())
    publishing.render(published)
    assert {path: path.read_text() for path in pages(published)} == before
    assert not [*published.rglob("gone.*")]


def test_publishing_over_something_else_is_refused(example, tmp_path):
    (tmp_path / "thesis.txt").write_text("do not lose me")
    with pytest.raises(InputError, match="contains other files"):
        publishing.publish(example, "mine", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_publishing_replaces_no_folder_but_one_that_was_published(tmp_path, monkeypatch):
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    published = publishing.publish(folder, "mine", tmp_path / "published" / "mine").parent
    (published / "note.txt").write_text("of before")
    (published.parent / "thesis.txt").write_text("do not lose me")
    with pytest.raises(InputError, match="contains other files"):
        publishing.publish(folder, "mine", published.parent / "new" / "..")
    monkeypatch.chdir(published)
    with pytest.raises(InputError, match=r"^\.: contains the current folder"):
        publishing.publish(folder, "mine", ".")
    assert sorted(path.name for path in published.parent.iterdir()) == ["mine", "thesis.txt"]
    assert (published / "note.txt").exists()
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(published)
    with pytest.raises(InputError, match="link: is not a folder, but a link"):
        publishing.publish(folder, "mine", link)
    with pytest.raises(InputError, match=r"contains other files: note\.txt \(1 in total\)"):
        publishing.publish(folder, "mine", published)
    (published / "note.txt").unlink()
    assert publishing.publish(folder, "mine", published) == published / "index.html"
    assert sorted(path.name for path in published.parent.iterdir()) == ["mine", "thesis.txt"]
    assert (published / "index.html").exists()


def test_publishing_replaces_no_link_pipe_socket_or_file(tmp_path):
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    place = tmp_path / "places"
    place.mkdir()
    (place / "file").write_text("do not lose me")
    os.mkfifo(place / "pipe")
    socket.socket(socket.AF_UNIX).bind(os.path.relpath(place / "socket"))
    (place / "itself").symlink_to("itself")
    (place / "nowhere").symlink_to("gone")
    before = {path: path.lstat().st_mode for path in place.iterdir()}
    assert len(before) == 5
    for path in before:
        with pytest.raises(InputError, match="is not a folder, but a link, a file or a device"):
            publishing.publish(folder, "mine", path)
    with pytest.raises(OSError, match="File exists"):
        publishing.publish(folder, "mine", place / "itself" / "mine")
    assert {path: path.lstat().st_mode for path in place.iterdir()} == before


def change_kind(file):
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda d: (d / "diary.txt").write_text("dear"), "diary.txt"),
        (lambda d: (d / "kernels" / "mine.html").write_text("dear"), "kernels/mine.html"),
        (lambda d: (d / ".git").mkdir(), ".git"),
        (lambda d: os.mkfifo(d / "tables" / "pipe"), "tables/pipe"),
        (lambda d: (d / "figures" / "elsewhere").symlink_to(".."), "figures/elsewhere"),
        (lambda d: change_kind(d / "index.html"), "index.html"),
        (lambda d: (d / publishing.MANIFEST).unlink(), "index.html"),
        (lambda d: (d / publishing.MANIFEST).write_bytes(b"\0\xff"), "index.html"),
    ],
)
def test_publishing_names_what_it_did_not_write(tmp_path, spoil, named):
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    target = tmp_path / "mine"
    files.write(target / "machine.json", "{}")
    for name in ("index.html", "kernels/a.html", "tables/a.csv", "figures/a.svg"):
        files.write(target / name, "of before")
    publishing._write_manifest(target, others=())
    spoil(target)
    before = sorted(target.rglob("*"))
    with pytest.raises(InputError, match=f"contains other files: .*{named}"):
        publishing.publish(folder, "mine", target)
    assert sorted(target.rglob("*")) == before


@pytest.mark.slow
def test_rendering_again_keeps_what_publishing_did_not_write(tmp_path):
    folder = pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))
    published = publishing.publish(folder, "mine", tmp_path / "mine").parent
    listed = (published / publishing.MANIFEST).read_text().splitlines()
    assert listed == sorted(str(path.relative_to(published)) for path in published.rglob("*") if path.is_file())
    (published / "lectures").mkdir(exist_ok=True)
    (published / "lectures" / "mine.html").write_text("dear")
    publishing.render(published)
    assert (published / publishing.MANIFEST).read_text().splitlines() == listed
    assert (published / "lectures" / "mine.html").read_text() == "dear"


def test_an_example_lists_what_it_holds(example):
    assert not publishing._others(example)


@pytest.mark.slow
@smallest_first
def test_a_published_folder_can_be_published_under_another_name(example, tmp_path):
    target = tmp_path / "other"
    publishing.publish(example, "other", target)
    kept, again = published_table(example.name), pd.read_csv(target / "tables" / "timings.csv")
    assert set(again["machine"]) == {"other"}
    cython = [{path.relative_to(each) for path in each.glob("build/**/*.html")} for each in (example, target)]
    assert cython[0] == cython[1]
    pd.testing.assert_frame_equal(kept.drop(columns="machine"), again.drop(columns="machine"), rtol=1e-9)
