"""Algorithms, math modes and targets for old published results, whose records lack these fields."""

from dataclasses import replace

from pygments.token import Comment, String

from accelbench import config as configuration
from accelbench import project
from accelbench.kernels import catalog, reading
from accelbench.pages import source

NO_FLAGS = configuration.Build(cflags=())  # Without flags, since the published build commands contain them


def with_classes(results):
    """Return `results` with algorithm, math mode and target added to the ok records, from the sources and builds.

    Kernels whose results have these fields are unchanged. An implementation's records are unchanged if its sources have
    changed since the measurement or are no longer in the repository.
    """
    kernels, classes = dict(results.kernels), {}
    for kernel, metadata in results.kernels.items():
        place = project.ROOT / "kernels" / kernel
        if metadata.algorithms or not (place / "kernel.py").is_file():
            continue
        folder = catalog.load(place)
        kernels[kernel] = metadata.model_copy(update={"algorithms": dict(folder.spec.algorithms)})
        for name, about in metadata.implementations.items():
            today = folder.implementations.get(name)
            if today and not today.problem and all(_is_unchanged(place / file.name, file.text) for file in about.files):
                commands = " ".join(artifact.command or "" for artifact in about.build)
                built = replace(today, flags=tuple(commands.split()))
                build_classes = {"math": built.math(NO_FLAGS), "target": built.target(NO_FLAGS)}
                classes[kernel, name] = build_classes | {"algorithm": today.algorithm}
    records = []
    for record in results.records:
        known = classes.get((record.kernel, record.implementation.partition("@")[0]))
        records.append(record.model_copy(update=known) if known and record.outcome == "ok" else record)
    return replace(results, records=records, kernels=kernels)


def _is_unchanged(file, published):
    """Return whether a file has the published code, except for comments, flags and the name of its algorithm."""
    return file.is_file() and _code(file.name, reading.unnamed(file)) == _code(file.name, published.encode())


def _code(name, text):
    """Return a source without comments, docstrings and white space."""
    tokens = source.lexer(name).get_tokens(reading.DECLARED.sub("", reading.NAMED.sub(b"", text).decode()))
    code = (text for kind, text in tokens if kind in Comment.Preproc or not (kind in Comment or kind in String.Doc))
    return "".join("".join(code).split())
