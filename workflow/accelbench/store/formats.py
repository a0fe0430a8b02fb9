"""Read and write JSON files whose types accelbench.model defines, such as machine.json and build manifests.

Files are checked before use. If a file is cut off, has an invalid value or was written for another schema version, an
InputError names the file and the key. Unknown keys are ignored, unless the type forbids them.
"""

from pydantic import TypeAdapter, ValidationError

from accelbench.errors import InputError
from accelbench.model.metadata import KernelMetadata
from accelbench.model.names import OLDER, SCHEMA_VERSION
from accelbench.store import files


def read_metadata(path, again):
    """Return the KernelMetadata in a file. Raise InputError if the kernel's name differs from the file's name."""
    metadata = read(KernelMetadata, path, again)
    if metadata.kernel != (name := path.name.partition(".")[0]):
        raise InputError(path, f"kernel: {metadata.kernel}, but the file is named after {name}", again)
    return metadata


def read(model, path, again):
    """Return the content of a JSON file, converted to the type `model`.

    Raise InputError if the content does not fit the type. The remedy in the message is `again`.
    """
    return typed(model, files.read_json(path, again), where=path, remedy=again)


def typed(model, value, *, where, remedy):
    """Return a JSON value, converted to the type `model`.

    Raise InputError if the value does not fit the type, or if the schema version differs.
    """
    if not isinstance(value, dict):
        raise InputError(where, "is not a complete JSON object", remedy)
    if "schema_version" in getattr(model, "model_fields", model.__annotations__):
        version = value.get("schema_version")
        if version != SCHEMA_VERSION:
            raise InputError(
                where, f"has schema_version {version!r}, not {SCHEMA_VERSION}", OLDER if version == 1 else remedy
            )
    try:
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key, problem = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise InputError(where, f"{key}: {problem}" if key else problem, remedy) from None


def write(path, value, *, indent=2):
    """Write a value of a type in accelbench.model as a JSON file, on one line if `indent` is None."""
    files.write_json(path, TypeAdapter(type(value)).dump_python(value, mode="json"), indent=indent)
