"""A kernel's metadata: what tables and report must know of it, so that they never open the kernels' folders."""

import ast

from accelbench.model.metadata import ImplementationMetadata, KernelMetadata, SourceFile


def describe(run, runs, left_out=0):
    """The KernelMetadata of the kernel that `run` measured.

    runs      the Measurings so far
    left_out  how many cases were measured before that the configuration does not ask for
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
        options=spec.options,
        dtypes=list(spec.dtypes),
        block_dimensions=spec.block_dimensions,
        location=spec.location,
        implementations={name: _implementation(run, i) for name, i in folder.implementations.items()},
        runs=runs,
        left_out=left_out,
    )


def _implementation(run, implementation):
    manifest = run.manifests.get(implementation.toolchain)
    folder, names = implementation.path.parent, dict.fromkeys([implementation.path.name, *implementation.sources])
    return ImplementationMetadata(
        title=implementation.title,
        backend=implementation.backend,
        variant=implementation.variant,
        threads=implementation.threads,
        parameters=list(implementation.parameters),
        toolchain=implementation.toolchain,
        flags=list(implementation.flags),
        note=implementation.note,
        source_lines=implementation.source_lines,
        files=[SourceFile(name=name, text=(folder / name).read_text(encoding="utf-8")) for name in names],
        build=[a for a in (manifest.artifacts if manifest else []) if a.implementation == implementation.name],
    )
