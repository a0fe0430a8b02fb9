"""Plan and measure the parts of a lecture figure, and report unknown names in the figure's entry.

Each part is a sweep with a separate configuration and results folder, so that a figure can be measured without the
other figures. All figures share the machine's journals and builds, so that a figure reuses the results of other
figures.
"""

import fnmatch
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from accelbench import config, measure, project, toolchains
from accelbench.config import Repetitions, Sweep, select
from accelbench.environments import placement
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.lectures import kinds
from accelbench.lectures.entries import place
from accelbench.measure import bench
from accelbench.model.names import SCHEMA_VERSION
from accelbench.model.parameters import DEFAULT_BLOCKS
from accelbench.store import files, journal, load
from accelbench.verify import trial

CONFIGURATION = project.ROOT / "config" / "lecture.yaml"


@dataclass
class Need:
    """Part of a figure, prepared for measuring.

    config    the EffectiveConfig that measures only this part; None if nothing can be measured
    missing   messages about what cannot be measured, such as names that no kernel defines
    left_out  {implementation: name of its environment} for environments that are not configured
    folder    name of the part's results folder, which measure_figure sets
    """

    part: object
    config: select.EffectiveConfig | None = None
    missing: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    folder: str | None = None


def read_configuration(like=None):
    """Return the Config for measuring lecture figures, from config/lecture.yaml.

    If the Config `like` is given, kernel folders, machines, devices, environments and build settings come from `like`,
    with only the first C and C++ compiler. Lecture figures can then use the builds made for `like`.
    """
    configuration = config.read(CONFIGURATION)
    if like is None:
        return configuration
    names = ("kernels_path", "machines", "device", "devices", "environments")
    alike = {name: getattr(like, name) for name in names}
    return configuration.model_copy(update={**alike, "build": like.build.compiled_by("")})


def of(entry, base):
    """Return a Need for each part of a figure. `base` is the Config of lectures, with the protocol and block sizes.

    Raise InputError if the folder of kernels or a kernel in this folder cannot be used.
    """
    kernels = select.find(base)
    homes_alone = {place.name: base.environments[place.name] for place in base.places if place.is_home}
    plain = base.model_copy(update={"environments": homes_alone})
    return [_need(part, base if part.of_contestants else plain, kernels) for part in entry.measure]


def _need(part, base, kernels):
    if part.kernel not in kernels:
        return Need(part, missing=[f"there is no kernel {part.kernel}"])
    most, limit = (
        base.protocol.repetitions.max,
        base.protocol.max_call_s if part.max_call_s is None else part.max_call_s,
    )
    protocol = {"repetitions": Repetitions(min=most, max=most), "max_call_s": limit}  # min = max: no early stop
    alone = {
        **{"preset": "lecture", "sizes": None, "dtypes": None, "implementations": ("*",), "backends": None},
        **{"threads": part.threads, "protocol": base.protocol.model_copy(update=protocol)},
    }
    try:
        folder = trial.load(kernels[part.kernel])
        folder = placement.place(base.places, folder) if part.of_contestants else folder
        chosen = select.matching(folder.implementations, part.implementations)
        # If the configuration has no contestant for these implementations, there is nothing to compare.
        if part.of_contestants and not chosen:
            return Need(part)
        sweep = Sweep(
            sizes=part.sizes,
            dtypes=part.dtypes or folder.spec.dtypes[:1],
            implementations=part.implementations,
            options=part.options,
            block_sizes=_block_sizes(part, base, folder.spec),
        )
        asked = base.model_copy(update=alone | {"kernels": {part.kernel: sweep}})
        select.check_sweep(asked, folder, f"config/figures.yaml, {part.kernel}")
    except InputError as error:
        return Need(part, missing=[f"{part.kernel} cannot be measured: {error.problem}"])
    ready = select.EffectiveConfig.of(asked, folder)
    left_out = {name: i.needed_environment for name, i in sorted(ready.kernel.left_out.items()) if name in chosen}
    return Need(part, ready, left_out=left_out)


def _block_sizes(part, base, spec):
    if part.block_sizes == "usual":
        return tuple(block for block in DEFAULT_BLOCKS if len(block.extents) == spec.block_dimensions)
    if part.block_sizes == "sweep":
        return base.block_sizes if spec.block_dimensions == 1 else base.block_sizes_2d
    return part.block_sizes


def missing(entries, base):
    """Return {id: [message, ...]} for each figure whose entry has unknown names or a part that cannot be measured."""
    parts = {entry.id: of(entry, base) for entry in entries}
    messages = {
        e.id: [w for need in parts[e.id] for w in need.missing] + _unknown_names(e, parts[e.id]) for e in entries
    }
    return {name: words for name, words in messages.items() if words}


def _unknown_names(entry, parts):
    """Return messages about names and sizes in `entry` that no part measures, and unknown names in `entry.code`."""
    if not parts or not all(need.config for need in parts):
        return []
    kernels = {need.part.kernel: catalog.load(need.config.kernel.path) for need in parts}
    measured = {(n.part.kernel, name) for n in parts for name in (*n.config.implementations, *n.left_out)}
    sizes = {size for need in parts for size in (*need.config.sizes, *need.config.sizes_gpu)}

    def unknown(kernel, pattern):
        return not any(kernel in (None, k) and fnmatch.fnmatchcase(name, pattern) for k, name in measured)

    shown = [row for row in entry.rows if row.implementation and unknown(row.kernel, row.implementation)]
    claimed = [name for claim in entry.claims for name in (claim.faster, claim.than)]
    plain = [] if entry.rows else [*entry.lines, *claimed, *filter(None, [entry.over])]
    elsewhere = [claim for claim in entry.claims if isinstance(claim.size, int) and claim.size not in sizes]
    absent = [
        c for c in entry.code if c.kernel in kernels and c.implementation not in kernels[c.kernel].implementations
    ]
    return [
        *(f"the row {row.label!r} shows {row.implementation}, which the figure does not measure" for row in shown),
        *(f"{name} is drawn or compared, but not measured" for name in plain if unknown(None, name)),
        *(
            f"the claim {claim.says!r} refers to size {claim.size}, which the figure does not measure"
            for claim in elsewhere
        ),
        *(f"{code.kernel} has no implementation {code.implementation}" for code in absent),
    ]


def check(entries, base):
    """Raise InputError, with all messages of the function `missing`, if there are any."""
    messages = missing(entries, base)
    if messages:
        listed = "; ".join(f"{name}: {', '.join(words)}" for name, words in messages.items())
        raise InputError("config/figures.yaml", listed, "Correct the names; `python -m accelbench list` shows them")


def measure_figure(entry, base, machine, *, home, cores=None, tell=print):
    """Measure all parts of the figure `entry` and write <home>/lectures/<figure>/measured.json.

    base  the Config of lectures, with the protocol, the block sizes and the folder of kernels
    home  results/<machine>/, which must contain machine.json
    tell  function that prints a line before each repetition of each part

    Measure every part once before any part is repeated. Skip a part that cannot be measured, and record the reason in
    `missing`. Such reasons are a kernel that does not exist, and a machine without a GPU. Raise InputError for the same
    reasons as measure.measure.
    """
    path, parts = place(home, entry), of(entry, base)
    shutil.rmtree(path.parent, ignore_errors=True)
    described = load.read_machine(home)
    for number, need in enumerate(parts, 1):
        if need.part.needs == "gpu" and not described.has_gpu:
            sizes = f"size {', '.join(map(str, need.part.sizes))}" if need.part.sizes else "its sizes"
            need.missing.append(f"{need.part.kernel} at {sizes} is measured only on machines with a GPU")
            need.config = None
        need.folder = f"{number}-{need.part.kernel}" if need.config else None
    ready, most = [need for need in parts if need.config], base.protocol.repetitions.max
    _build(Path(home), [need.config for need in ready], described)
    for repetition in range(1, most + 1):
        for part, need in enumerate(ready, 1):
            of_all = f"part {part} of {len(ready)}, repetition {repetition} of {most}"
            tell(f"{entry.id}: {need.part.kernel} ({of_all})")
            measure.measure_repetition(need.config, machine, home, number=repetition, cores=cores)
    for need in ready:
        measure.merge_repetitions(need.config, machine, home, cores=cores, output=path.parent / need.folder)
    names = ("missing", "left_out", "folder")
    measurement = {
        "schema_version": SCHEMA_VERSION,
        "figure": entry.id,
        "parts": [{"kernel": n.part.kernel, **{name: getattr(n, name) for name in names}} for n in parts],
        "scatter": list(journal.other_moments(home)),
    }
    if observe := kinds.find(entry)[1]:
        measurement |= observe(parts, described, (Path(home) / "scratch").resolve())
    files.write_json(path, measurement)


def _build(home, configs, described):
    """Build missing artifacts for the EffectiveConfigs, and for peak_read, the kernel that monitors the machine."""
    watching = catalog.load(project.PEAKS / "peak_read")
    for effective_config in configs:
        for folder, chosen in ((effective_config.kernel, effective_config.implementations), (watching, None)):
            for toolchain in toolchains.needed(folder, chosen):
                bench.build(home, toolchain, folder, config=effective_config.build, machine=described)
