"""Details of a time that pages show: verdict, conditions, clocks and samples."""

import math

from accelbench.analysis import Analysis
from accelbench.analysis.cases import AmortisedTransfer, is_launch_bound
from accelbench.analysis.choices import by_implementation
from accelbench.analysis.choosing import Best
from accelbench.analysis.noise import drifts
from accelbench.analysis.samples import Samples
from accelbench.decide.answer import Answer
from accelbench.decide.words import plural
from accelbench.model.record import Record
from accelbench.statistics import median

STRIP = 2  # samples of each repetition that are drawn
TONES = "".join(map(chr, range(35, 92)))  # a sample as a character: how far it is from the median, in SHADE
SHADE = 0.005


def standing(answer: Answer, best: Best) -> str:
    """Return its verdict in one word; "" if it is slower than the fastest."""
    if best.case.implausible:
        return "implausible"
    if best in answer.leaders:
        return "tie" if len(answer.leaders) > 1 else "fastest"
    return "undetermined" if best.case in answer.fastest.undetermined else ""


def at_hand(analysis: Analysis, best: Best) -> Best:
    """Return the Best whose details are shown: the one on resident data if data are kept on the device."""
    if not isinstance(best.kind, AmortisedTransfer):
        return best
    others = analysis.implementations("throughput")[best.case.problem]
    return next(each for each in others if by_implementation(each.case) == by_implementation(best.case))


def written(record: Record) -> str:
    """Its algorithm, its math mode, and its target where that is generic, as far as they are recorded."""
    target = "generic" if record.target == "generic" else None
    return ", ".join(filter(None, (record.algorithm, record.math, target)))


def manner(record: Record) -> str:
    """The same, and its threads."""
    return ", ".join(filter(None, (written(record), record.threads and plural(record.threads, "thread"))))


def conditions(best: Best) -> str:
    """Return the number of repetitions, and the flags of the case, as text."""
    case, count = best.case, len(best.samples)
    flags = {
        "noisy": case.record.noisy,
        "in cache": case.record.cache_resident,
        "launch-bound": best.kind == "throughput" and is_launch_bound(case),
        "not converged": not case.timing(best.kind).converged,
        "implausible": case.implausible,
        "drifts": drifts(case),
    }
    return ", ".join(
        [f"{count} repetition{'' if count == 1 else 's'}", *(name for name, holds in flags.items() if holds)]
    )


def clocks(analysis: Analysis, case) -> str:
    """The lowest and the highest clock of its device that were seen at the ends of its repetitions, and its energy."""
    record = case.record
    states = [state for several in record.environment.system_state for state in several]
    if case.on_accelerator:
        own = _places_of(record.device, [gpu.name for gpu in analysis.machine.gpus])
        gpus = (gpu for state in states for place, gpu in enumerate(state.gpus) if not own or place in own)
        name, seen = "GPU", [mhz for gpu in gpus for mhz in gpu.sm_clock_mhz if mhz]
    else:
        name, seen = "cores", [mhz for state in states for mhz in state.frequency_mhz if mhz]
    ends = sorted({round(min(seen)), round(max(seen))}) if seen else []
    told = [f"{name} {' to '.join(map(str, ends))} MHz"] if ends else []
    return "; ".join([*told, *([f"{record.energy_j:.3g} J a call"] if record.energy_j else [])])


def _places_of(device, names):
    """Which of the GPUs with these names a device is; several where its name does not tell, none for one like a MIG."""
    name, _, number = device.partition(" #")
    own = [place for place, other in enumerate(names) if other == name]
    return own[int(number) - 1 : int(number)] if number else own


def strip(samples: Samples) -> str:
    """STRIP samples of each repetition as TONES, evenly from all, each as far from the median of all as it is."""
    centre = median([s for rounds in samples.values() for s in rounds.values()])
    middle, told = len(TONES) // 2, ""
    for rounds in samples.values():
        taken = list(rounds.values())
        for number in range(STRIP):
            step = round(math.log(taken[number * len(taken) // STRIP] / centre) / SHADE)
            told += TONES[max(0, min(2 * middle, middle + step))]
    return told
