"""Damaged and malicious result files from a seed. Commands use a file, or raise InputError or an error of REFUSALS.

Commands write only the requested files. The lectures' figures are drawn as SVG. The report's figures take seconds to
draw, so they are drawn only for every tenth mutation (DRAWN).
"""

import json
import lzma
import random
import re
import resource
import shutil
import signal
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pretended_results.cpu
import psutil

from accelbench import compare, export, project, report
from accelbench import config as configuration
from accelbench.analysis import Analysis
from accelbench.archive import bundle, publishing
from accelbench.cli.app import REFUSALS
from accelbench.compare import page, terminal
from accelbench.errors import InputError
from accelbench.export import tables
from accelbench.lectures import entries, needs
from accelbench.lectures import page as lecture_pages
from accelbench.model.entry import JournalEntry
from accelbench.model.record import case_id
from accelbench.store import files
from accelbench.store.journal import Journal, KernelJournal
from accelbench.store.load import check_files, load_results

EXAMPLE = project.ROOT / "reports" / "examples" / "h200"
FIGURES = ("cupy101-pool",)
OWN = {
    "id": "own-sum", "lecture": "own", "slide": "Sums", "title": "Sums", "kind": "table", "over": "NumPy",
    "measure": [{"kernel": "vector_sum", "implementations": ["numpy_sum"], "sizes": [1000]}],
    "rows": [
        {"label": "NumPy", "implementation": "numpy_sum", "size": 1000, "recorded_s": 0.002},
        {"label": "C", "implementation": "cffi_*", "size": 1000, "recorded_s": 0.001},
    ],
    "claims": [{"says": "C pays", "faster": "C", "than": "NumPy"}], "note": "`a` note", "corrected": "a slip",
    "code": [{"kernel": "vector_sum", "implementation": "numpy_sum"}], "slide_code": [{"text": "sum(x)"}],
}  # fmt: skip
DRAWN = 10
CASES = 12  # number of cases per kernel
STUCK_S = 60
MOST_BYTES = 4 * 2**30  # maximum additional address space of this process, in bytes
PATTERNS = (
    "machine.json", "kernels/*.json", "timings/*", "tables/*.csv", "journal/*.jsonl", "profile/*/*.json",
    "lectures/*/measured.json", "lectures/*/*/kernels/*.json", "lectures/*/*/timings/*", "figures.yaml",
)  # fmt: skip
TEXTS = ("", "$\\frac{", "url(//a)", "javascript:0", "<svg/onload=a()>",
         "../../../../pwn", "/tmp/pwn", "\ud800", "\x1b[2J\x1b]0;x\x07", "\u202eexe", "a" * 100_000,
         "<script>alert(1)</script>", "a\nb", "\0", "NaN", "{}", "%s%n", "{{7*7}}", "-rf", "$(touch pwn)")  # fmt: skip
NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63), 10**400, 1e308, -1e308, 5e-324, 0.5, float("nan"), float("inf"), True)
OTHERS = (None, [], {}, [None], [[]], {"": None}, [1, 2, 3])


def base(folder):
    """Write a results folder with one of every kind of file, and few cases in each."""
    pretended_results.cpu.write(folder, repetitions=2, kernels=("vector_sum",))
    for path in (folder / "timings").iterdir():
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(sorted(lines, key=lambda line: '"numpy_sum"' not in line)[:CASES]))
    tables.write(Analysis(load_results(folder)), folder / "tables")
    write_journals(folder)
    for name in FIGURES:
        if (EXAMPLE / "lectures" / name).is_dir():
            shutil.copytree(EXAMPLE / "lectures" / name, folder / "lectures" / name)
    for profile in sorted(EXAMPLE.with_name("cpu").glob("profile/*/*.json"))[:1]:
        place = folder / "profile" / profile.parent.name / profile.name
        place.parent.mkdir(parents=True)
        shutil.copy(profile, place)
    own = folder / "lectures" / OWN["id"]
    for name in ("kernels", "timings"):
        shutil.copytree(folder / name, own / "1-vector_sum" / name)
    parts = [{"kernel": "vector_sum", "folder": "1-vector_sum", "missing": []}]
    files.write_json(own / "measured.json", {"schema_version": 2, "figure": own.name, "parts": parts})
    declared = [entries.find(name).model_dump(mode="json") for name in FIGURES]
    files.write_json(
        folder / "figures.yaml", {"figures": [*declared, OWN]}
    )  # JSON is valid YAML, and can be mutated as JSON
    draw_figures(folder, folder.with_name("drawn"))
    shutil.rmtree(folder.with_name("drawn"))
    return folder


def write_journals(folder):
    """Write journals with the first repetition of every timed case."""
    results = load_results(folder)
    for kernel, metadata in results.kernels.items():
        journal = KernelJournal(folder, kernel).part(1)
        journal.append([entry(r) for r in results.records if r.kernel == kernel and r.outcome == "ok"])
        for run in metadata.runs:
            journal.note(run=run)
        for watched in metadata.watched:
            journal.note(watched=watched)


def entry(record):
    """Return a record's first repetition as a line of a journal."""
    timings = {
        kind: {"samples_s": timing.samples_s[0], "rounds": timing.rounds[0], "loops": timing.loops[0]}
        for kind, timing in record.timings.items()
        if timing.samples_s[0]
    }
    result = {"timings": timings, "startup": record.startup or {}, "system_states": [], "environment": {}}
    result |= {"long": False, "call_s": record.timings["compute"].median_s, "facts": {}, "errors": record.errors}
    result |= {"max_error": record.max_error or 0.0, "tolerance": record.tolerance or 0.0}
    about = {"case": case_id(record), "key": record.key or "", "repetition": record.repetitions[0], "number": 1}
    return JournalEntry.model_validate({**about, "outcome": "ok", "reason": None, "result": result})


def mutate(folder, choice):
    """Mutate one file of a results folder once; return a description."""
    files = [path for pattern in [choice.choice(PATTERNS)] for path in sorted(folder.glob(pattern))]
    path = choice.choice(files or [folder / "machine.json"])
    how = choice.choice((edit, edit, edit, edit, edit, damage, replace))
    return f"{path.relative_to(folder)}: {how(path, choice)}"


def edit(path, choice):
    """Change a value in a JSON file, a value in a line of a JSON Lines file, or a cell of a table; return which."""
    data = path.read_bytes()
    data = lzma.decompress(data) if path.suffix == ".xz" else data
    lines = [data] if path.suffix in (".json", ".yaml") else data.splitlines() or [b"{}"]
    number = choice.randrange(len(lines))
    if path.suffix == ".csv":
        cells = lines[number].decode().split(",")
        place, cells_new = choice.randrange(len(cells)), str(choice.choice((*TEXTS, *NUMBERS)))
        told, cells[place] = f"line {number}, cell {place}: {cells_new[:40]!r}", cells_new
        lines[number] = ",".join(cells).encode(errors="surrogatepass")
    else:
        value = json.loads(lines[number])
        told = f"line {number}, {change(value, choice)}"
        lines[number] = json.dumps(value).encode()
    data = b"\n".join(lines) + b"\n"
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return told


def change(value, choice, place=""):
    """Change one entry of a list or dictionary at any depth; return its place and its new value."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return f"{place}: nothing there"
    key = choice.choice(keys)
    place = f"{place}.{key}"
    if isinstance(value[key], (dict, list)) and value[key] and choice.random() < 0.75:
        return change(value[key], choice, place)
    what = choice.choice(("delete", "text", "text", "number", "number", "other", "rename", "twice"))
    if what == "delete":
        del value[key]
    elif what == "rename" and isinstance(value, dict):
        value[choice.choice(TEXTS)] = value.pop(key)
    elif what == "twice" and isinstance(value, list):
        value.append(value[key])
    else:
        value[key] = choice.choice({"text": TEXTS, "number": NUMBERS}.get(what, OTHERS))
        what = repr(value[key])[:40]
    return f"{place}: {what}"


def damage(path, choice):
    """Damage the bytes of a file; return how."""
    data = path.read_bytes()
    place = choice.randrange(len(data) + 1)
    made = {
        "empty": b"",
        "cut": data[:place],
        "binary": bytes(choice.randrange(256) for _ in range(1000)),
        "deep": b"[" * 100_000,
        "deep objects": b'{"a":' * 50_000,
        "twice": data + data,
        "zeros": bytes(len(data)),
        "a byte": data[:place] + bytes([choice.randrange(256)]) + data[place + 1 :],
        "marks": b"\xef\xbb\xbf" + data,
        "null": b"null",
        "a bomb": lzma.compress(bytes(2**20)) * 100,
    }
    what = choice.choice(list(made))
    path.write_bytes(made[what])
    return what


def replace(path, choice):
    """Remove the file, or replace it by a folder or a link; return which."""
    path.unlink()
    what = choice.choice(("gone", "a link out", "a link in a circle", "a folder", "a link to a device"))
    if what == "a folder":
        path.mkdir()
    elif what != "gone":
        path.symlink_to({"a link out": "../../../secret", "a link in a circle": path.name}.get(what, "/dev/zero"))
    return what


def commands(folder, good, out):
    """Return {name: function that uses the results in `folder` and writes only to `out`}."""
    config = configuration.Config()
    return {
        "check": lambda: check_files(folder),
        "tables": lambda: tables.write(Analysis(load_results(folder)), out / "tables"),
        "report": lambda: report.write(Analysis(load_results(folder)), folder, out / "report", config=config),
        "figures": lambda: needs.check(declared(folder).values(), needs.read_configuration()),
        "lecture page": lambda: lecture_page(folder, out / "page"),
        "lecture draw": lambda: draw_figures(folder, out / "drawn"),
        "compare": lambda: compared(folder, good, out),
        **{form: lambda form=form: export.export(folder, form, out / form) for form in export.FORMATS},
        "bundle": lambda: bundle.bundle(folder, out / "bundle.zip"),
        "publish": lambda: publishing.publish(folder, "laptop", out / "published" / "laptop"),
        "journal": lambda: [Journal(path).read() for path in sorted((folder / "journal").glob("*"))],
    }


def declared(folder):
    """Return {id: Entry} of the folder's own figures.yaml."""
    return entries.read.__wrapped__(folder / "figures.yaml")


def draw_figures(folder, out):
    """Draw the figures of the folder's figures.yaml that have measurements."""
    for entry in declared(folder).values():
        if (folder / "lectures" / entry.id).is_dir():
            lecture_pages.write_figure(entry, folder, out)


def lecture_page(folder, out):
    """Write the page of the drawn figures; check that no foreign text became an element."""
    shown = [SimpleNamespace(id=path.name) for path in sorted((folder / "lectures").iterdir())]
    index = lecture_pages.write_page(folder, out, shown)
    text = "".join(path.read_text(encoding="utf-8") for path in (index, *(out / "lectures").glob("*.html")))
    found = re.findall(r"<(?:svg/onload|script>alert)", text)
    assert not found, found


def compared(folder, good, out):
    runs = compare.compare(load_results(good), load_results(folder), names=("a", "b"), by=None)
    (out / "compared.html").write_text(page.render(runs))
    compare.table(runs).to_csv(out / "compared.csv")
    with open(out / "compared.txt", "w") as stream:
        terminal.show(runs, every=True, console=terminal.consoles.Console(file=stream, width=200))


def torture(tally, seed, count, folder):
    """Mutate a results folder `count` times. Run every command on each mutation and count unexpected failures.

    `folder` is empty at first. The commands may change only its subfolder `out` and the mutated results folder.
    """
    good = base(folder / "base")
    (folder / "secret").write_text("secret")
    signal.signal(signal.SIGALRM, _stuck)
    draw_all = report.pictures.draw_all

    def drawn(plots, folder, **given):
        if (number + 1) % DRAWN:
            return {plot.name: "" for plot in plots}
        return draw_all(plots, folder, processes=1, **given)

    with (
        mock.patch.object(report.pictures, "draw_all", side_effect=drawn),
        mock.patch.object(report.pictures, "FORMATS", {"svg": report.pictures.FORMATS["svg"]}),
        mock.patch.object(page, "_draw", return_value=""),
    ):
        for number in range(count):
            choice = random.Random(f"{seed} {number}")
            place = folder / "in" / "results" / "local"
            shutil.copytree(good, place)
            told = f"mutation {number} of seed {seed}: {mutate(place, choice)}"
            tally.tried["mutated result files"] += 1
            before = _files(folder)
            for name, command in commands(place, good, folder / "out").items():
                (folder / "out").mkdir()
                _do(tally, f"{told}: {name}", command)
                shutil.rmtree(folder / "out")
            if changed := {p for p in before.items() ^ _files(folder).items() if not p[0].is_relative_to(place)}:
                tally.add("files written outside", f"{told}: {changed}")
            shutil.rmtree(folder / "in")


def _files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


class Stuck(BaseException):
    """Raised when a use takes too long."""


def _stuck(*_):
    raise Stuck


def _do(tally, told, command):
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + MOST_BYTES, before[1]))
    signal.alarm(STUCK_S)
    try:
        command()
    except InputError as error:
        if not str(error).isprintable():
            tally.add("other than declared", f"{told}: {error!r}")
    except Stuck:
        tally.add("hangs", f"{told}: over {STUCK_S} s")
    except Exception as error:
        if isinstance(error, OSError) and error.errno in REFUSALS:
            return
        last = error.__traceback__
        while last.tb_next:
            last = last.tb_next
        where = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}"
        tally.add("tracebacks", f"{told}: {type(error).__name__}: {str(error)[:200]} ({where})")
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, before)
