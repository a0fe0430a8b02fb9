"""Metadata of a kernel, from which tables and reports are made."""

import ast

from accelbench.model.metadata import ImplementationMetadata, KernelMetadata, Measuring, SourceFile


def describe(run, journal, left_out=0):
    """Return the KernelMetadata of a kernel.

    run       Bench of the kernel
    journal   KernelJournal of the kernel
    left_out  number of cases that were measured before and are not in the plan of the present configuration
    """
    folder, spec = run.folder, run.folder.spec
    docstring = ast.get_docstring(ast.parse((folder.path / "kernel.py").read_text(encoding="utf-8"))) or ""
    return KernelMetadata(
        kernel=folder.name,
        title=spec.title,
        description=docstring,
        size=spec.size,
        baseline=spec.baseline,
        baselines=sorted(spec.all_baselines - {spec.baseline}),
        lectures=list(spec.lectures),
        algorithms=spec.algorithms,
        options=spec.options,
        dtypes=list(spec.dtypes),
        block_dimensions=spec.block_dimensions,
        location=spec.location,
        implementations={name: _implementation(run, i) for name, i in folder.implementations.items()},
        runs=combined(journal.runs),
        watched=journal.watched,
        left_out=left_out,
    )


def combined(measurings: list[Measuring]) -> list[Measuring]:
    """Return `measurings` in the order of their start times.

    Measurings with the same `run` and the same `instance` are combined into one Measuring.
    """
    runs = {}
    for measuring in sorted(measurings, key=lambda measuring: measuring.begin):
        key = (measuring.run, measuring.instance) if measuring.run else measuring.started
        known = runs.setdefault(key, measuring)
        if known is not measuring:
            runs[key] = known.model_copy(
                update={
                    "wall_s": known.wall_s + measuring.wall_s,
                    "in_samples_s": known.in_samples_s + measuring.in_samples_s,
                    "steps_s": {
                        name: known.steps_s.get(name, 0.0) + measuring.steps_s.get(name, 0.0)
                        for name in known.steps_s | measuring.steps_s
                    },
                    "cases": max(known.cases, measuring.cases),
                    "repetitions": [*known.repetitions, *measuring.repetitions],
                    "scatter": measuring.scatter or known.scatter,
                }
            )
    return list(runs.values())


def _implementation(run, implementation):
    manifest = run.manifests.get(implementation.toolchain)
    return ImplementationMetadata(
        title=implementation.title,
        backend=implementation.backend,
        environment=implementation.environment,
        variant=implementation.variant,
        threads=implementation.threads,
        parameters=list(implementation.parameters),
        toolchain=implementation.toolchain,
        flags=list(implementation.flags),
        algorithm=implementation.algorithm,
        math=implementation.math(run.config.build),
        target=implementation.target(run.config.build),
        note=implementation.note,
        source_lines=implementation.source_lines,
        files=[SourceFile(name=path.name, text=path.read_text(encoding="utf-8")) for path in implementation.files],
        build=[a for a in (manifest.artifacts if manifest else []) if a.implementation == implementation.name],
    )
