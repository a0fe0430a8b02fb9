"""Failed stages of a machine's last run, and the reasons.

A stage has failed if its result is missing, its log exists, and the log lacks the message "finished".
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from accelbench.errors import one_line

# {rule: (glob of its logs in results/<machine>/logs/, its result in results/<machine>/, stage's name in messages)}
STAGES = {
    "describe_machine": ("describe_machine.log", "machine.json", "describing the machine"),
    "build_kernel": ("build_kernel/*/*.log", "build/{}/{}.json", "building {} with {}"),
    "measure_kernel": ("measure_kernel/*/*.log", "repetitions/{}/{}.json", "measuring {}, repetition {}"),
    "merge_repetitions": ("merge_repetitions/*.log", "timings/{}.jsonl", "merging the repetitions of {}"),
    "measure_figure": ("measure_figure/*.log", "lectures/{}/measured.json", "measuring for the figure {}"),
    "draw_figure": ("draw_figure/*.log", "lectures/{}/view.json", "drawing the figure {}"),
}
FINISHED = "finished"  # Last message of a log whose command succeeded
ENDED = re.compile(rf"^[-\d]+ [:,\d]+ INFO {FINISHED}$", re.MULTILINE)
ERROR = re.compile(r"^[-\d]+ [:,\d]+ ERROR (.*)$", re.MULTILINE)
# Patterns of Snakemake's messages that say how a job's command failed, and which error stopped the workflow
STATUS = re.compile(r" --log (\S.*)' (returned non-zero exit status \d+|died with <Signals\.\w+).*$", re.MULTILINE)
STOP = re.compile(r"^(?!RuleException)\w+(?:Error|Exception)\b.*:\n(?!At least one job|Command )(.+)$", re.MULTILINE)
KILLED = "its process ended without a message: it was killed, or the computer stopped"
LONGEST = 300  # Maximum length of a reason, in characters


@dataclass(frozen=True)
class FailedStage:
    """A stage that failed: its name in messages, its kernel or None, the reason, and the path of its log."""

    what: str
    kernel: str | None
    reason: str
    log: Path


def of(results_dir):
    """Return the FailedStages in results/<machine>/."""
    stages, directory = [], Path(results_dir).parents[1]
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
                    stages.append(FailedStage(what.format(*names), kernel, _reason(text, ends.get(log)), log))
    return stages


def stop(directory, since):
    """Return (error, path of Snakemake's log) if an error other than a failed job stopped the last run, or None.

    since  start of the run, in seconds since the epoch
    """
    path, text = _snakemake_log(directory)
    stops = STOP.findall(text) if path and path.stat().st_mtime >= since else ()
    return (one_line(stops[0]), path) if stops else None


def _snakemake_log(directory):
    """Return (path, text) of Snakemake's newest log in `directory`, or (None, "") without a log."""
    path = max(Path(directory, ".snakemake", "log").glob("*.log"), key=lambda path: path.stat().st_mtime, default=None)
    return path, path.read_text(encoding="utf-8", errors="replace") if path else ""


def _reason(text, end):
    """Return the reason of a failure: the last error in the log `text`, or the last line of this error's traceback.

    If the log has no error, return how the command ended.

    end  how the command ended, according to Snakemake's log; None if unknown
    """
    errors, last = ERROR.findall(text), text.rstrip().rsplit("\n", 1)[-1]
    if not errors:
        words = f"ends: {last}" if last else "is empty"
        return one_line(f"its command {end}; its log {words}" if end else KILLED)[:LONGEST]
    return one_line(last if errors[-1] == "internal error" else errors[-1])[:LONGEST]
