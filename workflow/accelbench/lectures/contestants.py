"""What was measured of contestants on a machine, by its sweeps or for a lecture's figure."""

from pathlib import Path

from accelbench.lectures import entries, measured
from accelbench.model.results import Results
from accelbench.store.load import load_results, read_machine


def read(home):
    """The Results of results/<machine>/: each kernel's as the machine's sweeps left them where contestants are among
    them, else as the first figure of contestants has them, if any does. InputError where a result file is damaged."""
    home = Path(home)
    shown = [
        home / folder
        for entry in entries.read().values()
        if any(part.of_contestants for part in entry.measure) and measured.place(home, entry).is_file()
        for folder in measured.read_measurement(home, entry).folders()
    ]
    swept = [home] if any(Path(home, "timings").glob("*")) or not shown else []
    found = {}
    for own in (load_results(folder, home) for folder in [*swept, *shown]):
        for kernel in own.kernels:
            if kernel not in found or not found[kernel].has_contestants(kernel):
                found[kernel] = own
    return Results(
        read_machine(home),
        {kernel: own.kernels[kernel] for kernel, own in found.items()},
        [record for kernel, own in found.items() for record in own.records if record.kernel == kernel],
    )
