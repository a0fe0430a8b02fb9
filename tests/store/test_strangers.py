"""Tests of untrusted files: none causes a write outside its folder, a traceback or a hang."""

import json
import lzma
import os
import stat
from types import SimpleNamespace

import mutations
import pretended_results.cpu
import pytest
from command_line import shell
from read_results import write_report, write_tables
from tally import Tally

from accelbench.archive import bundle, publishing
from accelbench.errors import InputError
from accelbench.kernels import specification
from accelbench.lectures import entries, measured, page
from accelbench.model.artifact import Manifest
from accelbench.store import files, formats, load
from accelbench.store.journal import parse_line

OUT = "../../../../pwn"


@pytest.fixture
def folder(tmp_path):
    return pretended_results.cpu.write(tmp_path / "results" / "local", kernels=("vector_sum",))


def edit(path, change):
    """Apply `change` to the value in a JSON file, and write the value back."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def rewrite_records(folder, change):
    path = folder / "timings" / "vector_sum.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def outside(folder):
    """Return {path: content} of all files of the test outside the folder."""
    root = folder.parents[1]
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and folder not in path.parents}


def make_report(folder):
    write_tables(folder)
    write_report(folder, folder / "out")


# Names


@pytest.mark.parametrize("page", [OUT, "/etc/hostname", "a/../../../pwn", "..", "a\\..\\b", "a\nb", ".hidden", ""])
def test_a_page_of_a_build_lies_within_it(folder, page):
    (folder.parents[1] / "pwn").write_text("theirs")

    def name(metadata):
        metadata["implementations"]["cython_typed"]["build"][0]["page"] = page

    edit(folder / "kernels" / "vector_sum.json", name)
    before = outside(folder)
    with pytest.raises(InputError, match=r"vector_sum\.json: implementations\.cython_typed\.build\.0\.page: "):
        make_report(folder)
    assert outside(folder) == before


@pytest.mark.parametrize(
    ("key", "value"),
    [(key, value) for key in ("kernel", "implementation", "backend", "machine", "dtype") for value in (OUT, "", "A b")],
)
def test_names_in_records_are_the_catalogues(folder, key, value):
    rewrite_records(folder, lambda line: line.update({key: value}))
    before = outside(folder)
    for command in (
        lambda: write_tables(folder),
        lambda: publishing.publish(folder, "laptop", folder.parents[1] / "published" / "laptop"),
    ):
        with pytest.raises(InputError, match=rf"vector_sum\.jsonl:1: {key}"):
            command()
    assert outside(folder) == before


def test_the_pattern_is_the_catalogues():
    for name in ("vector_sum", "a", "A", "a-b", "_a", "a" * 100, "a" * 101, "a\n", "", "é"):
        manifest = {"schema_version": 2, "kernel": name, "toolchain": "c", "artifacts": []}
        if specification.NAME.match(name):
            formats.typed(Manifest, manifest, where="m.json", remedy="")
        else:
            with pytest.raises(InputError, match="kernel"):
                formats.typed(Manifest, manifest, where="m.json", remedy="")


@pytest.mark.parametrize("place", [OUT, "1-../x", "/tmp", "1-a/b", "x"])
def test_a_part_of_a_figure_lies_within_it(tmp_path, place):
    made = {"schema_version": 2, "figure": "f", "parts": [{"kernel": "twice", "folder": place, "missing": []}]}
    files.write_json(tmp_path / "lectures" / "f" / "measured.json", made)
    with pytest.raises(InputError, match=r"measured\.json: parts\.0\.folder"):
        measured.read_measurement(tmp_path, SimpleNamespace(id="f", kind="table"))


def test_a_card_is_of_the_kernel_that_it_is_named_after(folder):
    edit(folder / "kernels" / "vector_sum.json", lambda metadata: metadata.update(kernel="dot"))
    with pytest.raises(InputError, match="named after vector_sum"):
        write_tables(folder)


@pytest.mark.parametrize("name", ["tables", "tables/timings.csv", "kernels/dot.json", "figures", "build/vector_sum"])
def test_nothing_is_read_or_written_through_a_link_that_leaves_the_folder(folder, name):
    target = folder.parents[1] / "elsewhere"
    target.mkdir()
    (target / "timings.csv").write_text("theirs")
    path = folder / name
    if path.is_dir():
        path.rename(folder / "moved")
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target / "timings.csv" if path.suffix else target)
    before = outside(folder)
    for command in (
        lambda: write_tables(folder),
        lambda: publishing.render(folder),
        lambda: publishing.publish(folder, "laptop", folder.parents[1] / "published" / "laptop"),
        lambda: bundle.bundle(folder, folder.parents[1] / "x.zip"),
    ):
        with pytest.raises(InputError, match="lies outside of it"):
            command()
    assert outside(folder) == before


def test_links_within_the_folder_and_to_the_folder_are_followed(folder):
    (folder / "tables").mkdir()
    (folder / "tables.csv").write_text("")
    (folder / "tables" / "timings.csv").symlink_to(folder / "tables.csv")
    linked = folder.parents[1] / "linked"
    linked.symlink_to(folder)
    write_tables(linked)
    assert (folder / "tables.csv").read_text().startswith("machine,")


def test_a_link_in_a_circle_is_no_traceback(folder):
    path = folder / "timings" / "circle.jsonl"
    path.symlink_to("circle.jsonl")
    with pytest.raises(InputError, match="nor a link to one"):
        load.check_files(folder)
    with pytest.raises(InputError, match="cannot be read"):
        files.read_lines(path)


def test_a_journal_without_an_end_is_not_read(tmp_path):
    (tmp_path / "endless.jsonl").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="is not a regular file"):
        files.read_lines(tmp_path / "endless.jsonl")


def test_a_pipe_in_the_folder_is_no_wait(folder):
    os.mkfifo(folder / "timings" / "endless.jsonl")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        write_tables(folder)


# Large files


@pytest.mark.parametrize("name", ["vector_sum.jsonl", "vector_sum.jsonl.xz"])
@pytest.mark.parametrize(
    ("text", "said"), [(b"\n" * 2**26, "has 67108864 lines"), (b" " * (files.MOST_BYTES + 1), "134217729|128 MB")]
)
def test_a_large_file_that_holds_nothing_is_refused_at_once(folder, name, text, said):
    (folder / "timings" / "vector_sum.jsonl").unlink()
    path = folder / "timings" / name
    path.write_bytes(lzma.compress(text, preset=0) if path.suffix == ".xz" else text)
    with pytest.raises(InputError, match=said):
        load.load_records(folder)


def test_json_that_is_large_or_no_file_is_refused_unread(tmp_path):
    sparse = tmp_path / "sparse.json"
    with sparse.open("wb") as stream:
        stream.truncate(files.MOST_BYTES + 1)
    os.mkfifo(tmp_path / "pipe.json")
    for path, said in ((sparse, "has 134217729 bytes"), (tmp_path / "pipe.json", "is not a regular file")):
        with pytest.raises(InputError, match=said):
            files.read_json(path)


# Invalid values


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"reference_shift": 3}, "environment.reference_shift"),
        ({"reference_shift": ["x"] * 3}, "environment.reference_shift"),
        ({"reference_shift": [0.1]}, "environment.reference_shift"),
        ({"system_state": {"a": 1}}, "environment.system_state"),
    ],
)
def test_an_environment_that_is_none(folder, environment, told):
    rewrite_records(folder, lambda line: line.update(environment=environment))
    with pytest.raises(InputError, match=told):
        write_tables(folder)


def whole_entry():
    samples = {"samples_s": [0.1, 0.2], "rounds": [0, 1], "loops": 1}
    result = {"timings": {"compute": samples}, "converged": True, "long": False, "call_s": 0.1,
              "system_states": [], "facts": {}, "energy_j": None, "environment": {}, "max_error": 0.0, "tolerance": 0.0,
              "errors": {}, "startup": {"import_s": 0.1}}  # fmt: skip
    return {"case": "a", "key": "k", "repetition": "s", "outcome": "ok", "reason": None, "result": result}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, None) for key in ("environment", "facts", "system_states")),  # None: the key is missing
        *(("environment", value) for value in ([], 3)),
        ("errors", {"x": 3}),
        ("startup", {"evil_s": 0.1}),
        ("energy_j", "x"),
        ("timings", {"compute": {"samples_s": [0.1, 0.2], "rounds": [], "loops": 1}}),
        ("timings", {"compute": {"samples_s": [0.1], "rounds": [0], "loops": 0}}),
    ],
)
def test_a_line_of_a_journal_that_would_fail_later_is_none(key, value):
    line = whole_entry()
    parse_line(line)
    if value is None:
        del line["result"][key]
    else:
        line["result"][key] = value
    with pytest.raises(ValueError, match=key):
        parse_line(line)


def test_an_entry_whose_environment_is_null_is_none():
    line = whole_entry()
    line["result"]["environment"] = None
    with pytest.raises(ValueError, match="environment"):
        parse_line(line)


@pytest.mark.parametrize("name", ["tables/timings.parquet", "build/vector_sum/c.json"])
def test_an_emptied_file_is_seen_before_a_run(folder, name):
    write_tables(folder)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    with pytest.raises(InputError, match=path.name):
        load.check_files(folder)


@pytest.mark.slow
@pytest.mark.usefixtures("as_svg")
def test_a_report_does_not_care_for_what_tables_say(folder):
    write_tables(folder)
    index = write_report(folder, folder / "out")
    kept = index.read_bytes()
    for path in (folder / "tables").iterdir():
        path.write_text("edited")
    assert write_report(folder, folder / "out").read_bytes() == kept


# Output


def test_texts_are_read_with_escapes_for_what_a_terminal_obeys(folder, tmp_path):
    odd = "\x1b[31mred\u202e\x07 \ud800 line\n\ttab é 中"
    path = tmp_path / "x.json"
    path.write_text(json.dumps({odd: [odd]}))
    shown = r"\x1b[31mred\u202e\x07 \ud800 line" + "\n\ttab é 中"
    assert files.read_json(path) == {shown: [shown]}
    rewrite_records(folder, lambda line: line.update(device="\x1b]0;x"))
    assert {record.device for record in load.load_records(folder)} >= {r"\x1b]0;x"}


@pytest.mark.slow
def test_no_escape_of_a_foreign_name_reaches_the_terminal(folder, tmp_path):
    """Warnings of matplotlib, which quote characters missing in its fonts, contain no escape sequences either."""
    rewrite_records(folder, lambda line: line.update(device="PoCL \x1b[31m"))
    odd = {"title": "\x1b[31m title", "size": "\x1b[31m \u4e2d elements"}
    edit(folder / "kernels" / "vector_sum.json", lambda metadata: metadata.update(odd))
    reports = tmp_path / "reports"
    words = ["accelbench", "report", "--results", folder.parent, "--reports", reports]
    done = shell(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Glyph 20013" in done.stderr, "the label of an axis was not drawn"
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x1b" not in (reports / "local" / "index.html").read_text()


# Pages


def test_a_figure_is_no_link_out(folder):
    view = folder / "lectures" / "cupy101-sum" / "view.json"
    view.parent.mkdir(parents=True)
    view.symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"view\.json.* lies outside"):
        page.write_page(folder, folder / "page", [entries.find("cupy101-sum")])


@pytest.mark.slow
def test_a_page_of_cython_is_copied_without_the_link_to_its_c_file(folder):
    """The C file is not part of the report. Annotated pages that no figure shows are not published."""
    page = '<p>Raw output: <a href="cython_typed.c">cython_typed.c</a></p><a href="other.html">other</a>'
    built, *_ = load.annotated_pages(load.load_results(folder).kernels, folder).values()
    built.write_text(page)
    report, published = folder / "out", folder.parents[1] / "published" / "laptop"
    write_report(folder, report)
    publishing.publish(folder, "laptop", published)
    shown = (report / built.relative_to(folder)).read_text()
    assert shown == '<p>Raw output: cython_typed.c</p><a href="other.html">other</a>'
    assert not (published / "build").exists()


# Permissions


@pytest.mark.parametrize("mask", [0o077, 0o027, 0o002])
def test_files_are_as_open_as_the_umask_says(tmp_path, mask):
    before = os.umask(mask)
    try:
        files.write(tmp_path / "x", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~mask


# Random changes


@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_mutated_result_files_are_used_or_refused(tmp_path, count):
    tally = Tally()
    mutations.torture(tally, 15, count, tmp_path)
    assert not tally.wrong
    assert tally.tried["mutated result files"] == count
