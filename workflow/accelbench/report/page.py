"""The page: what the templates need, and how they write it."""

from collections import defaultdict
from statistics import median

import yaml
from markupsafe import Markup

import accelbench
from accelbench import config as configuration
from accelbench.figures import style
from accelbench.pages import machine, sandbox, source
from accelbench.pages import page as pages
from accelbench.report import block_views, case_table, curves, device_views, views
from accelbench.store import failures as failed_stages
from accelbench.store import formats

LOG_LENGTH = 6000
PROBLEM = ("options", "size", "dtype")  # beside the kernel
CHECKING_STEPS = ("inputs", "compare", "changed", "checking", "recheck", "refill")  # of a run's `steps_s`
SHOWN_NAMES = 3  # of a tie, on a tile
SHOWN_FUNCTIONS = 8  # of a profile; all are in its table


def render(results, heatmaps, rooflines, plots, svgs, annotations, profiles, lectures, config):
    """The HTML of the whole page; `lectures` says whether their page lies beside it."""
    launched, launches = device_views.launch_table(results) if results.gpus else ([], [])
    return pages.render(
        "accelbench.report",
        "index.html.jinja",
        filters=FILTERS,
        svgs={name: Markup(svg) for name, svg in svgs.items()},
        heatmaps=heatmaps,
        rooflines=rooflines,
        launched=launched,
        launches=launches,
        gpus=results.gpus,
        short_devices=results.short_devices,
        machine=results.machine,
        measured_on=measured_on(results),
        headlines=headlines(results),
        backends=shown_backends(results),
        one_process=one_process(results),
        winners=winners(results),
        crossovers=crossovers(results),
        kernels=[kernel(results, name, plots[name], annotations) for name in results.cards],
        profiles=profiles,
        lectures=lectures,
        shown_functions=SHOWN_FUNCTIONS,
        annotations=annotations,
        failures=failures(results),
        failed_stages=failed_stages.of(results.folder),
        left_out={kernel: card["left_out"] for kernel, card in results.cards.items() if card.get("left_out")},
        outcome_counts=views.outcome_counts(results),
        machine_facts=machine.facts(results.machine),
        limits=results.rows("limits"),
        runs=runs(results, config),
        citation=citation(results),
        **room(results),
    )  # fmt: skip


def headlines(results):
    """For each kernel the winner at the largest size of its first dtype, for the tiles on top."""
    found = []
    bound = {row["case"]: row["launch_bound"] for row in results.rows("timings")}
    for row in views.winner_rows(results):
        if row["kernel"] in (headline["kernel"] for headline in found) or not row["sizes"][-1]["names"]:
            continue
        last = row["sizes"][-1]
        notes = {"winner": "fastest", "tie": f"tie of {len(last['names'])}", "one_process": "fastest in one process"}
        found.append(
            {
                "kernel": row["kernel"],
                "title": row["title"],
                "family": row["family"],
                "names": last["names"][:SHOWN_NAMES],
                "more": len(last["names"][SHOWN_NAMES:]),
                "backends": backends_of(results, row["kernel"]),
                "speedup": last["speedup"],
                "size": last["size"],
                "note": " ".join([notes[last["decision"]], *(f"on {device}" for device in last["where"][:1])]),
                "end_to_end": last["end_to_end_pinned"] or last["end_to_end"] if results.gpus else None,
                "pinned": (last["end_to_end_pinned"] or {}).get("device") in results.gpus,
                "launch_bound": bound[last["case"]] if last["case"] else False,
                "faster_numpy": views.faster_numpy(results, row["kernel"], **{n: last[n] for n in PROBLEM})[:1],
                "interval": style.interval(last["speedup_ci_low"], last["speedup_ci_high"], style.ratio),
            }
        )
    return found


def failures(results):
    """views.failures with the commands to run them again: all of a case's own, one where a reason explains many."""
    rows = views.failures(results)
    for row in rows:
        cases = row["cases"][:1] if row["who"] or row["outcome"] == "unavailable" else row["cases"]
        row["commands"] = [*map(views.rerun_command, cases)]
    return rows


def backends_of(results, kernel):
    """{implementation: backend} of a kernel; unknown ones have the backend "other"."""
    found = {row["implementation"]: row["backend"] for row in results.rows("timings", kernel=kernel)}
    return defaultdict(lambda: "other", found)


def shown_backends(results):
    used = {row["backend"] for row in results.rows("timings") if row["kernel"] in results.cards}
    return [name for name in style.LIGHT if name in used] + sorted(used - style.LIGHT.keys())


def one_process(results):
    return not any(row["decision"] in ("winner", "tie") for row in results.rows("winners"))


def winners(results):
    """views.winner_rows with colours, and the end-to-end winner where it is another."""
    rows = views.winner_rows(results)
    for row in rows:
        row["backends"] = backends_of(results, row["kernel"])
        for size in row["sizes"]:
            size["others"] = []
            for timing, words in (("end_to_end", "end to end"), ("end_to_end_pinned", "pinned")):
                others = views.winner_names(size[timing]) if size[timing] else []
                if [others] == [names for _, names, _ in size["others"]]:
                    size["others"] = [("end to end, pinned or not", others, size[timing]["speedup"])]
                elif others and set(others) != set(size["names"]):
                    size["others"].append((words, others, size[timing]["speedup"]))
    return rows


def crossovers(results):
    tables = []
    for kernel in results.cards:
        families = curves.families(results, kernel)
        several = len({options for _, options in families}) > 1
        for dtype, options in families:
            rows = views.crossover_rows(results, kernel, dtype, options)
            devices = defaultdict(set)
            for row in rows:
                devices[row["implementation"]].add(row["device"])
            for row in rows:
                row["device_label"] = row["device"] if len(devices[row["implementation"]]) > 1 else None
            if rows:
                family = curves.family_title(dtype, options, several)
                backends = backends_of(results, kernel)
                timings = ["compute", "end_to_end"]
                timings += ["end_to_end_pinned"] if any("end_to_end_pinned" in row for row in rows) else []
                tables.append(
                    {"kernel": kernel, "family": family, "rows": rows, "backends": backends, "timings": timings}
                )
    return tables


def crossover(row):
    """From which size a way pays, in words."""
    if not row or row["crossover"] is None:
        return "–"
    if row["crossover"] == "from":
        return f"size {style.size(row['faster_from_size'])}"
    return {"always": "every size", "never": "never", "sometimes": "some sizes"}[row["crossover"]]


def kernel(results, name, plots, annotations):
    card = results.cards[name]
    return {
        "name": name,
        "card": card,
        "paragraphs": paragraphs(card["description"]),
        "backends": backends_of(results, name),
        "plots": plots,
        "faster_numpy": views.faster_numpy(results, name),
        "cases": case_table.table(results, name),
        "regret": block_views.regret_rows(results, name) if results.gpus else [],
        "sources": sources(results, name, annotations),
    }


def sources(results, kernel, annotations):
    """The implementations of a kernel with highlighted files, the baseline first; it and the fastest go on paper."""
    card = results.cards[kernel]
    paper = {card["baseline"]}
    for row in views.winner_rows(results):
        if row["kernel"] == kernel:
            paper.update(row["sizes"][-1]["names"][:1])
    names = sorted(card["implementations"], key=lambda name: (name != card["baseline"], name))
    return [_source(kernel, name, card["implementations"][name], name in paper, annotations) for name in names]


def _source(kernel, name, about, on_paper, annotations):
    files = [{"name": f["name"], "html": Markup(source.to_html(f["name"], f["text"]))} for f in about["files"]]
    builds = []
    for number, artifact in enumerate(about["build"]):
        log = artifact.get("log") or ""
        log = log if len(log) <= LOG_LENGTH else f"… {log[-LOG_LENGTH:]}"
        command = artifact.get("command")
        command = " ".join(command) if isinstance(command, list) else command
        link = annotations.get((kernel, name, number))
        builds.append({**artifact, "log": log, "command": command, "page_link": link})
    return {**about, "name": name, "files": files, "builds": builds, "on_paper": on_paper}


def copy_profiles(results, report_dir):
    """Copy the tables and flame graphs of profiles beside the report; the profiles (formats.Profile), slowest first,
    each with its `links`: (title, relative link)."""
    found = []
    for path in sorted((results.folder / "profile").glob("*/*.json")):
        profile = formats.read(formats.Profile, path, "Delete it and run again: make profile")
        files = [("flame graph", path.with_suffix(".html")), ("the whole table", path.with_suffix(".txt"))]
        links = [(title, sandbox.copy(file, results.folder, report_dir)) for title, file in files if file.is_file()]
        found.append({**profile, "links": links})
    return sorted(found, key=lambda profile: profile["plain_s"], reverse=True)


def room(results):
    """How much of the time was spent measuring, and how quiet it was."""
    total = next(iter(results.rows("measuring", kernel="total")), {})
    cases = [row for row in results.rows("timings") if row["outcome"] == "ok"]
    shifts = [row["reference_shift"] for row in cases if row["reference_shift"] is not None]
    return {
        "share": total.get("in_samples_share"),
        "wall_s": total.get("wall_s"),
        "checking": checking_share(results),
        "per_case_s": total.get("wall_per_case_s"),
        "noisy": sum(bool(row["noisy"]) for row in cases),
        "more_cores": [row for row in cases if row["more_cores"]],
        "judged": len(cases),
        "shift": median(shifts) if shifts else None,
        "processes": max((row["sittings"] or 0 for row in cases), default=0) or None,
        "room": room_facts(results.machine.get("room") or {}),
    }


def checking_share(results):
    """The share of wall time that went into checking: inputs, references, changes of inputs, comparisons. None where no
    run recorded its steps."""
    runs = [run for card in results.cards.values() for run in card["runs"] if run.get("steps_s")]
    wall_s = sum(run["wall_s"] for run in runs)
    return sum(run["steps_s"].get(step, 0.0) for run in runs for step in CHECKING_STEPS) / wall_s if wall_s else None


def room_facts(told):
    """(name, value) of how quiet the machine was when it was described, from machine.json's `room`."""
    cpu = told.get("cpu_s") or {}
    total = sum(cpu.values())
    loads = ", ".join(f"{load:.2f}" for load in told.get("load_average") or ())
    clock = told.get("frequency_mhz")
    facts = [
        ("Load average at the start (1, 5, 15 min)", loads),
        ("CPU time stolen by the host", f"{cpu.get('steal', 0) / total:.2%}" if total else None),
        ("Clock governor", told.get("governor") or "not known"),
        ("Clock", f"{clock:.0f} MHz" if clock else None),
        ("Free memory", style.amount(told["memory_free_bytes"]) if told.get("memory_free_bytes") else None),
    ]
    return [(name, value) for name, value in facts if value]


def loss(regret):
    """How much longer the default takes: "+21 %"; a dash for nothing known."""
    return "–" if style.missing(regret) else f"{regret - 1:+.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def few(words, most=3):
    """The first of words separated by spaces, and how many more there are."""
    words = (words or "").split(" ")
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def paragraphs(text):
    """(text, whether its lines are to be kept) of each paragraph: formulas and tables are indented."""
    found = [part.strip("\n") for part in text.split("\n\n")]
    return [(part, part.startswith("    ")) for part in found if part.strip()]


def runs(results, config):
    """What was run and how to run it again, newest first: kernels of one commit and configuration together.

    A run's own configuration names its kernel alone; here those of a group are joined. Without any run on record the
    configuration is the one this report was asked for with.
    """
    groups = {}
    for run in sorted(results.runs, key=lambda run: run["started"], reverse=True):
        common = configuration.to_repeat(run["config"], results.machine["name"])
        key = run["commit"], run["dirty"], yaml.safe_dump(common)
        group = groups.setdefault(key, {**run, "common": common, "kernels": {}, "commands": []})
        group["commands"] += [run["command"]] if run["command"] not in group["commands"] else []
        if run["kernel"] in results.cards:
            group["kernels"] |= {run["kernel"]: (run["config"].get("kernels") or {}).get(run["kernel"], {})}
    for group in groups.values():
        group["configuration"] = _yaml({**group["common"], "kernels": group["kernels"]})
    unknown = {"commit": None, "dirty": False, "started": "", "kernels": {}, "commands": []}
    return list(groups.values()) or [unknown | {"configuration": _yaml(config.model_dump(mode="json"))}]


def _yaml(value):
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)


def measured_on(results):
    """The day of the last run, or None."""
    return max((run["started"][:10] for run in results.runs), default=None)


def citation(results):
    commit = next((run["commit"] for run in results.runs if run.get("commit")), None)
    return (
        "@software{accelbench,\n"
        "  title = {accelbench: which way of accelerating a Python computation is fastest on this machine},\n"
        f"  version = {{{accelbench.__version__}}},\n"
        + (f"  note = {{commit {commit}}},\n" if commit else "")
        + (f"  year = {{{measured_on(results)[:4]}}},\n" if results.runs else "")
        + "}"
    )


FILTERS = {
    "crossover": crossover,
    "loss": loss,
    "few": few,
    "plots_of": lambda plots, kinds: [plot for kind in kinds for plot in plots.get(kind, ())],
}
