"""Which stages of a machine's last run failed, and why: those whose log is there and whose result is not."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from accelbench.errors import one_line

# {stage: (its logs in results/<machine>/logs/, what it leaves in results/<machine>/, what it does)}
STAGES = {
    "describe_machine": ("describe_machine.log", "machine.json", "describing the machine"),
    "build_kernel": ("build_kernel/*/*.log", "build/{}/{}.json", "building {} with {}"),
    "measure_kernel": ("measure_kernel/*/*.log", "repetitions/{}/{}.json", "measuring {}, repetition {}"),
    "merge_repetitions": ("merge_repetitions/*.log", "timings/{}.jsonl", "merging the repetitions of {}"),
    "measure_figure": ("measure_figure/*.log", "lectures/{}/measured.json", "measuring for the figure {}"),
    "draw_figure": ("draw_figure/*.log", "lectures/{}/view.json", "drawing the figure {}"),
}
FINISHED = "finished"  # the last word of a log whose command came to its end
ENDED = re.compile(rf"^[-\d]+ [:,\d]+ INFO {FINISHED}$", re.MULTILINE)
ERROR = re.compile(r"^[-\d]+ [:,\d]+ ERROR (.*)$", re.MULTILINE)
# Snakemake's words for how a job's command ended, and for what stopped the workflow itself
STATUS = re.compile(r" --log (\S.*)' (returned non-zero exit status \d+|died with <Signals\.\w+).*$", re.MULTILINE)
STOP = re.compile(r"^(?!RuleException)\w+(?:Error|Exception)\b.*:\n(?!At least one job|Command )(.+)$", re.MULTILINE)
KILLED = "its process ended without a word: it was killed, or the computer went down"
LONGEST = 300


@dataclass(frozen=True)
class FailedStage:
    """A stage that failed: what it was doing, the kernel or None, why, and its log."""

    what: str
    kernel: str | None
    reason: str
    log: Path


def of(results_dir):
    """The FailedStages in results/<machine>/."""
    found, directory = [], Path(results_dir).parents[1]
    ends = {
        Path(directory, shlex.split(log)[0]): how.replace("<Signals.", "")
        for log, how in STATUS.findall(_snakemake_log(directory)[1])
    }
    for stage, (pattern, output, what) in STAGES.items():
        logs = Path(results_dir, "logs")
        for log in sorted(logs.glob(pattern)):
            names = log.relative_to(logs).with_suffix("").parts[1:]
            if not Path(results_dir, output.format(*names)).exists():
                text = log.read_text(encoding="utf-8", errors="replace")
                if not ENDED.search(text):
                    kernel = names[0] if names and "figure" not in stage else None
                    found.append(FailedStage(what.format(*names), kernel, _reason(text, ends.get(log)), log))
    return found


def stop(directory, since):
    """Return (what stopped a run of the workflow but failed jobs, Snakemake's log), None where nothing did.

    since  when the run began, in seconds since the epoch
    """
    path, text = _snakemake_log(directory)
    stops = STOP.findall(text) if path and path.stat().st_mtime >= since else ()
    return (one_line(stops[0]), path) if stops else None


def _snakemake_log(directory):
    """Return (path, text) of the newest log that Snakemake has left in `directory`, (None, "") where there is none."""
    path = max(Path(directory, ".snakemake", "log").glob("*.log"), key=lambda path: path.stat().st_mtime, default=None)
    return path, path.read_text(encoding="utf-8", errors="replace") if path else ""


def _reason(text, end):
    """The last error that a log tells, the last line of a traceback where it is one.

    end  how the command ended, None where Snakemake does not tell
    """
    errors, last = ERROR.findall(text), text.rstrip().rsplit("\n", 1)[-1]
    if not errors:
        words = f"ends: {last}" if last else "is empty"
        return one_line(f"its command {end}; its log {words}" if end else KILLED)[:LONGEST]
    return one_line(last if errors[-1] == "internal error" else errors[-1])[:LONGEST]
