"""Measures what one figure needs, part by part, into a folder of the figure's own.

Every part is a sweep of its own with the results it alone asked for, so that a figure is the same whether it was made
alone or among all. The journal and the builds are the machine's: what one figure has measured, no other measures again.
"""

import shutil
from pathlib import Path

from accelbench import measure
from accelbench.lectures import kinds, needs
from accelbench.lectures.measured import place
from accelbench.measure import plan
from accelbench.model.names import SCHEMA_VERSION
from accelbench.store import files
from accelbench.store.load import read_machine


def run(entry, base, machine, *, home, cores=None, tell=print):
    """Measure what the figure `entry` needs and write <home>/lectures/<figure>/measured.json.

    base  the Config of lectures: protocol, block sizes, where kernels lie
    home  results/<machine>/, with machine.json and the builds of the figure's kernels
    tell  called with a line for people before each part

    The first repetition of every part is measured before the second of any. Parts whose kernel or implementations do
    not exist are left out, and noted. InputError as from measure.measure.
    """
    home = Path(home)
    path = place(home, entry)
    shutil.rmtree(path.parent, ignore_errors=True)
    parts = needs.of(entry, base)
    described = read_machine(home)
    has_gpu = plan.has_gpu(described)
    configs, measured = {}, []
    for number, need in enumerate(parts, 1):
        name = None
        if need.part.needs == "gpu" and not has_gpu:
            need.missing.append(f"{need.part.kernel} at {_sizes(need.part)} is measured with a GPU alone")
        elif need.config is not None:
            name = f"{number}-{need.part.kernel}"
            configs[name] = need.config
        measured.append(
            {"kernel": need.part.kernel, "folder": name, "missing": need.missing, "left_out": need.left_out}
        )
    most = base.protocol.repetitions
    for repetition in range(1, most + 1):
        for part, config in enumerate(configs.values(), 1):
            of_all = f"part {part} of {len(configs)}, repetition {repetition} of {most}"
            tell(f"{entry.id}: {config.kernel.name} ({of_all})")
            measure.measure_repetition(config, machine, home, number=repetition, cores=cores)
    for name, config in configs.items():
        measure.merge_repetitions(config, machine, home, cores=cores, output=path.parent / name)
    measurement = {"schema_version": SCHEMA_VERSION, "figure": entry.id, "parts": measured}
    if observe := getattr(kinds.find(entry), "observe", None):
        measurement |= observe(parts, described, (home / "scratch").resolve())
    files.write_json(path, measurement)


def _sizes(part):
    return f"size {', '.join(map(str, part.sizes))}" if part.sizes else "its sizes"
