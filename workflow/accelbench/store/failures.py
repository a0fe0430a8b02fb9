"""Which stages of a machine's last run failed, and why: those whose log is there and whose result is not."""

import re
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
    found = []
    for stage, (pattern, output, what) in STAGES.items():
        logs = Path(results_dir, "logs")
        for log in sorted(logs.glob(pattern)):
            names = log.relative_to(logs).with_suffix("").parts[1:]
            if not Path(results_dir, output.format(*names)).exists():
                text = log.read_text(encoding="utf-8", errors="replace")
                if not ENDED.search(text):
                    kernel = names[0] if names and "figure" not in stage else None
                    found.append(FailedStage(what.format(*names), kernel, _reason(text), log))
    return found


def _reason(text):
    """The last error that a log tells, the last line of a traceback where it is one."""
    errors = ERROR.findall(text)
    if not errors:
        return KILLED
    reason = text.rstrip().rsplit("\n", 1)[-1] if errors[-1] == "internal error" else errors[-1]
    return one_line(reason)[:LONGEST]
