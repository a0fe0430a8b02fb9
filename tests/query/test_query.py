"""SQL over results: the questions of docs/query.md against the files themselves, and what is refused."""

import csv
import io
import json
import lzma
import re
import statistics
import sys
from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from accelbench import project
from accelbench.analysis import Analysis
from accelbench.cli import commands
from accelbench.errors import InputError
from accelbench.query import engine, shown, views

EXAMPLES = sorted(path.parent for path in project.ROOT.glob("reports/examples/*/machine.json"))
QUESTIONS = re.findall(r"```sql\n(.*?)```", (project.ROOT / "docs" / "query.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture(autouse=True)
def duckdb():
    return pytest.importorskip("duckdb")


def invoke(*arguments):
    return CliRunner().invoke(commands.app, ["query", *map(str, arguments)])


@pytest.fixture(scope="module")
def analyses():
    return views.read(EXAMPLES)


@pytest.fixture
def read_once(analyses, monkeypatch):
    monkeypatch.setattr(views, "read", lambda folders: {str(folder): analyses[str(folder)] for folder in folders})


@pytest.fixture
def ask(read_once):
    return lambda number: engine.answer(QUESTIONS[number], EXAMPLES).rows


# The questions, by the published tables and nothing of accelbench's


@pytest.fixture(scope="module")
def rows():
    """Every row of the examples' timings.csv, numbers as numbers, without what is implausible."""
    found = []
    for folder in EXAMPLES:
        with (folder / "tables" / "timings.csv").open(newline="") as stream:
            for row in csv.DictReader(stream):
                row |= {
                    name: float(value) if value else None for name, value in row.items() if name.endswith(("_s", "_j"))
                }
                if row["implausible"] != "True" and row["outcome"] == "ok":
                    found.append(row)
    return found


def problem(row):
    return row["machine"], row["kernel"], row["options"], int(row["size"]), row["dtype"]


def from_host(row):
    return min(filter(None, (row["end_to_end_s"], row["end_to_end_pinned_s"])), default=None)


def no_peaks(rows):
    return [row for row in rows if not row["kernel"].startswith("peak_")]


def test_documentation_has_five_questions():
    assert len(QUESTIONS) == 5


def test_fastest_on_each_machine(ask, rows):
    named = [row for row in rows if problem(row)[1::2] == ("vector_sum", 10_000_000) and row["dtype"] == "float64"]
    wanted = filter(from_host, named)
    best = {}
    for row in sorted(wanted, key=from_host):
        best.setdefault(row["machine"], (row["implementation"], 1e3 * from_host(row)))
    found = ask(0)
    assert {row[0]: (row[1], pytest.approx(row[4])) for row in found} == best
    assert [row[4] for row in found] == sorted(row[4] for row in found)
    assert len(found) > 1


def test_where_the_gpu_wins(ask, rows):
    own = defaultdict(lambda: defaultdict(list))
    for row in no_peaks(rows):
        of_gpu = row["device"].startswith("NVIDIA")
        times = {"resident": row["throughput_s"], "pinned": from_host(row), "pageable": row["end_to_end_s"]}
        for name, seconds in times.items() if of_gpu else [("cores", row["end_to_end_s"])]:
            own[problem(row)][name] += [seconds] if seconds else []
        if not of_gpu and row["end_to_end_s"] and row["backend"] not in ("numpy", "python", "pyopencl"):
            own[problem(row)]["compiled"].append(row["end_to_end_s"])
    counted = defaultdict(Counter)
    for key, times in own.items():
        if times["resident"] and times["compiled"]:
            counted[key[0]]["problems"] += 1
            for place in ("resident", "pinned", "pageable"):
                counted[key[0]][place] += min(times[place], default=1e9) < min(times["cores"])
    found = {row[0]: dict(zip(("problems", "resident", "pinned", "pageable"), row[1:], strict=True)) for row in ask(1)}
    assert found == {name: dict(own) for name, own in counted.items()}
    assert any(own["resident"] > own["pinned"] for own in found.values())


@pytest.mark.parametrize("compiled", [True, False])
def test_a_gpu_wins_nothing_where_the_cores_were_measured_with_numpy_and_opencl_alone(analyses, monkeypatch, compiled):
    (folder,) = (path for path in EXAMPLES if path.name == "h200x2")
    results = analyses[str(folder)].results
    known = [r for r in results.records if r.device[:6] == "NVIDIA" or r.backend in ("numpy", "pyopencl")]
    assert 0 < len(known) < len(results.records)
    own = Analysis(results if compiled else replace(results, records=known))
    monkeypatch.setattr(views, "read", lambda folders: {str(folder): own})
    assert [row[0] for row in engine.answer(QUESTIONS[1], [folder]).rows] == ["h200x2"] * compiled


def test_how_often_a_backend_is_near_the_fastest(ask, rows):
    best = defaultdict(dict)
    for row in no_peaks(rows):
        if (seconds := from_host(row)) is not None:
            own = best[problem(row)]
            own[row["backend"]] = min(seconds, own.get(row["backend"], seconds))
    problems, near = Counter(), Counter()
    for key, own in best.items():
        for backend, seconds in own.items():
            problems[key[0], backend] += 1
            near[key[0], backend] += seconds <= 1.1 * min(own.values())
    assert {row[:2]: row[2:] for row in ask(2)} == {key: (problems[key], near[key]) for key in problems}


def test_which_cases_repeat_worst(ask):
    apart = []
    for folder in EXAMPLES:
        for path in folder.glob("timings/*.xz"):
            for line in lzma.decompress(path.read_bytes()).splitlines():
                record = json.loads(line)
                samples = record["timings"].get("compute", {"samples_s": []})["samples_s"]
                medians = [statistics.median(own) for own in samples if own]
                if len(medians) > 1:
                    apart.append((max(medians) / min(medians), record["machine"], record["implementation"]))
    worst = sorted(apart, reverse=True)[:10]
    found = ask(3)
    assert [row[3] for row in found] == pytest.approx([ratio for ratio, *_ in worst])
    assert [(row[0], row[1].split("/")[1]) for row in found] == [tuple(names) for _, *names in worst]


def test_what_a_call_costs_in_energy(ask, rows):
    measured = defaultdict(list)
    for row in no_peaks(rows):
        if row["energy_j"] is not None:
            measured[problem(row)].append(row)
    expected = []
    for key in sorted(measured):
        fastest = min(measured[key], key=lambda row: row["throughput_s"] or row["compute_s"])
        thriftiest = min(measured[key], key=lambda row: row["energy_j"])
        expected.append(
            (*key[:2], fastest["implementation"], thriftiest["implementation"], 1e3 * thriftiest["energy_j"])
        )
    found = ask(4)
    assert [(row[0], row[1], row[4], row[6], pytest.approx(row[7])) for row in found] == expected
    assert expected


# Forms, and what is refused


def test_forms_say_the_same():
    answer = engine.Selection(["a|b", "seconds"], [("x|y", 1.23456789), (None, 2.0)])
    assert list(csv.reader(io.StringIO(shown.as_csv(answer)))) == [
        ["a|b", "seconds"],
        ["x|y", "1.23456789"],
        ["", "2.0"],
    ]
    assert shown.as_markdown(answer).splitlines() == [
        "| a\\|b | seconds |", "| --- | --- |", "| x\\|y | 1.23457 |", "|  | 2 |"
    ]  # fmt: skip
    table = shown.as_table(answer)
    assert "1.23457" in table
    assert table.endswith("2 rows\n")


def test_every_view_has_the_columns_that_are_listed(read_once):
    listed = dict(line.split(": ") for line in invoke().stdout.splitlines())
    for name, columns in listed.items():
        found = engine.answer(f"SELECT * FROM {name} LIMIT 0", EXAMPLES[-1:])
        assert ", ".join(found.columns) == columns
    assert {"cases", "samples", "repetitions", "machines", "winners"} <= listed.keys()


def test_all_results_of_the_project_are_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(views, "read", lambda folders: pytest.fail(" ".join(map(str, folders))))
    for name in ("results/local", "results/other", "reports/examples/h200", "reports/local"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "machine.json").touch()
    with pytest.raises(pytest.fail.Exception, match="reports/examples/h200 results/local results/other"):
        CliRunner().invoke(commands.app, ["query", "SELECT 1"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELEC 1", "syntax error at or near"),
        ("SELECT nosuch FROM cases", "Candidate bindings"),
        ("SELECT * FROM nosuch", "The views are cases, samples"),
        ("SELECT * FROM read_csv('/etc/passwd')", "file system operations are disabled"),
        ("SELECT * FROM analyses", "does not exist"),
        ("DROP VIEW cases", "is not one SELECT"),
        ("COPY (SELECT 1) TO 'x.csv'", "is not one SELECT"),
        ("SELECT 1; SELECT 2", "is not one SELECT"),
        ("", "is not one SELECT"),
        ("SELECT CAST('x' AS int)", "Could not convert"),
    ],
)
def test_what_cannot_be_answered_is_one_line(sql, told, read_once):
    done = invoke(sql, EXAMPLES[-1])
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_damaged_folder_is_told_of_and_left_out(tmp_path, monkeypatch):
    monkeypatch.delenv("ACCELBENCH_TOLD", raising=False)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "machine.json").write_text("{")
    done = invoke("SELECT machine FROM machines", tmp_path / "broken", EXAMPLES[-1], "--format", "csv")
    assert (done.exit_code, done.stdout) == (0, f"machine\n{EXAMPLES[-1].name}\n")
    assert "left out" in done.stderr
    done = invoke("SELECT 1", tmp_path / "broken")
    assert done.exit_code == 2
    assert "there are no results to ask" in done.stderr


def test_results_are_never_written_over(tmp_path):
    done = invoke("SELECT 1", EXAMPLES[0], "--output", EXAMPLES[0] / "machine.json")
    assert done.exit_code == 2
    assert "is a result file" in done.stderr
    assert invoke("SELECT 1 AS one", EXAMPLES[-1], "--format", "csv", "--output", tmp_path / "a.csv").exit_code == 0
    assert (tmp_path / "a.csv").read_text() == "one\n1\n"


def test_missing_library_is_one_message_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    done = invoke("SELECT 1", EXAMPLES[-1])
    assert done.exit_code == 2
    assert done.stderr == "error: query: needs DuckDB, which is not installed. Install it: make install LOCK=query\n"


def test_no_value_of_a_table_is_cut_however_wide_it_is():
    wide = "x" * 700
    text = shown.as_table(engine.Selection(["one", "two"], [(wide, wide)]))
    assert text.count(wide) == 2


@pytest.mark.parametrize("sql", ["SHOW TABLES", "select * from information_schema.tables"])
def test_who_asks_which_views_there_are_is_told(sql, read_once):
    with pytest.raises(InputError, match=r"They are .*cases"):
        engine.answer(sql, EXAMPLES)


def test_more_rows_than_anybody_reads_are_refused(read_once):
    with pytest.raises(InputError, match="Add LIMIT"):
        engine.answer("SELECT * FROM range(2000000)", EXAMPLES)
