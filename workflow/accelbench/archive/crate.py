"""RO-Crate metadata of a bundle, for archives: files, authors and machine (https://w3id.org/ro/crate/1.1)."""

import re
from datetime import UTC, datetime
from pathlib import Path

import accelbench
from accelbench.errors import InputError

AUTHOR = re.compile(r"\s*([^<>]*[^<>\s])\s*(?:<(https?://[^\s<>]+)>\s*)?")  # A name, optionally with an identifier
KINDS = {  # {suffix of a file: its media type}
    ".json": "application/json", ".jsonl": "application/jsonl", ".xz": "application/x-xz", ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml", ".html": "text/html",
    ".svg": "image/svg+xml", ".py": "text/x-python", ".md": "text/markdown", ".pdf": "application/pdf",
}  # fmt: skip
LICENSE = {"@type": "CreativeWork", "name": "MIT License", "description": "License of the sources and the results."}


def parse_authors(authors):
    """Return {identifier: name} of `authors`: "Jane Doe <https://orcid.org/...>". Raise InputError for other forms."""
    people = {}
    for number, text in enumerate(authors, 1):
        author = AUTHOR.fullmatch(text)
        if not author:
            remedy = 'Write --author "Jane Doe", or --author "Jane Doe <https://orcid.org/0000-0002-1825-0097>"'
            raise InputError(
                "--author", f"{text!r} is neither a name nor a name with an address in angle brackets", remedy
            )
        people[author[2] or f"#author-{number}"] = author[1]
    return people


def write(results, folder, paths, *, authors):
    """Write ro-crate-metadata.json into `folder`.

    paths    relative paths of the files in the folder
    authors  result of parse_authors
    """
    from rocrate.model import ContextEntity, Person, SoftwareApplication
    from rocrate.rocrate import ROCrate

    machine, crate = results.machine, ROCrate()
    crate.name = f"accelbench: results of the machine {machine.name}"
    counted = f"{len(results.records)} cases of {len(results.kernels)} kernels"
    crate.description = f"Times of {counted} on {machine.cpu.model}, with the files to read and to repeat them."
    crate.datePublished = max((run.begin for _, run in results.runs), default=datetime.now(UTC))
    crate.license = crate.add(ContextEntity(crate, "https://spdx.org/licenses/MIT", properties=LICENSE))
    for identifier, name in authors.items():
        person = crate.add(Person(crate, identifier, properties={"name": name}))
        crate.root_dataset.append_to("author", person, compact=True)
    commits = ", ".join(sorted({run.commit for _, run in results.runs if run.commit})) or "unknown"
    about = {"name": "accelbench", "softwareVersion": accelbench.__version__, "version": commits}
    software = crate.add(SoftwareApplication(crate, "#accelbench", properties=about))
    parts = ", ".join([machine.hardware, *(gpu.name for gpu in machine.gpus), machine.os])
    about = {"@type": "Thing", "name": machine.name, "description": parts}
    action = crate.add_action(
        software, "#measuring", object=crate.add(ContextEntity(crate, "#machine", properties=about))
    )
    for path in paths:
        file = crate.add_file(
            folder / path, path, properties={"encodingFormat": KINDS.get(Path(path).suffix, "text/plain")}
        )
        if path.startswith(("configuration/", "sources/")):
            action.append_to("object", file)
        elif "/timings/" in path:
            action.append_to("result", file, compact=True)
    crate.metadata.write(folder)
