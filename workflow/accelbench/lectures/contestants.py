"""What was measured of contestants on a machine, by its sweeps or for a lecture's figure."""

from pathlib import Path

from accelbench.lectures import entries, measured
from accelbench.model.results import Results
from accelbench.store.load import load_results, read_machine


def read(home):
    """The Results of results/<machine>/: each kernel's as the machine's sweeps left them where contestants are among
    them, else as the first figure of contestants has them, if any does. InputError where a result file is damaged."""
    home = Path(home)
    found = {}
    for own in (*_swept(home), *_shown(home)):
        for kernel in own.kernels:
            if kernel not in found or not found[kernel].has_contestants(kernel):
                found[kernel] = own
    return Results(
        read_machine(home),
        {kernel: own.kernels[kernel] for kernel, own in found.items()},
        [record for kernel, own in found.items() for record in own.records if record.kernel == kernel],
    )


def _swept(home):
    """The Results of the machine's sweeps, where there are any."""
    if any(Path(home, "timings").glob("*")) or not any(_folders(home)):
        yield load_results(home)


def _shown(home):
    """The Results of each part of each figure of contestants."""
    for folder in _folders(home):
        yield load_results(folder, home)


def _folders(home):
    for entry in entries.read().values():
        if any(part.of_contestants for part in entry.measure) and measured.place(home, entry).is_file():
            yield from (home / folder for folder in measured.read_measurement(home, entry).folders())
