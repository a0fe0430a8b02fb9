"""Name the places of the data, and the kind of time that counts for each."""

from accelbench.analysis import Analysis
from accelbench.analysis.cases import PINNED, AmortisedTransfer

RESIDENT, PAGEABLE, PAGE_LOCKED, KEPT = "resident", "pageable", "pinned", "kept"
KINDS = {RESIDENT: "throughput", PAGEABLE: "end_to_end", PAGE_LOCKED: PINNED}
ON_A_GPU = {
    PAGE_LOCKED: "from page-locked host memory and back (pinned)",
    PAGEABLE: "from ordinary host memory and back (pageable)",
    KEPT: "copied to the device once, for all calls (kept)",
    RESIDENT: "where they are needed already (resident)",
}
ON_CORES = {PAGEABLE: "in host arrays", RESIDENT: "in the form it needs already (resident)"}


def places(analysis: Analysis) -> dict[str, str]:
    """{place of the data: what the page calls it}, the default first."""
    if not analysis.gpus:
        return ON_CORES
    pinned = any(PINNED in case.record.timings for case in analysis.cases if case.ok)
    return {place: words for place, words in ON_A_GPU.items() if pinned or place != PAGE_LOCKED}


def kind_of(place: str, calls: int) -> str | AmortisedTransfer:
    """The kind of time of a call; data kept for a single one are brought there and back by it."""
    if place == KEPT:
        return AmortisedTransfer(calls) if calls > 1 else PINNED
    return KINDS[place]
