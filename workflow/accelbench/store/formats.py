"""The result files beside the records: machine.json, build manifests, kernels' metadata, profiles.

What others read from them is checked here, before it is used, so that a file that was cut, edited by hand or written by
another version is one InputError with a name, and never a traceback in the middle of something else. Keys that are not
named here are free.
"""

from pydantic import TypeAdapter, ValidationError

from accelbench.errors import InputError
from accelbench.model.metadata import KernelMetadata
from accelbench.model.names import SCHEMA_VERSION
from accelbench.store import files, schema1


def read_metadata(path, again):
    """The KernelMetadata of the kernel that a file is named after."""
    metadata = read(KernelMetadata, path, again)
    if metadata.kernel not in (path.stem, schema1.kernel(path.stem)):
        raise InputError(path, f"kernel: {metadata.kernel}, but it is named after {path.stem}", again)
    return metadata


def read(model, path, again):
    """The `model` in a JSON file; InputError with the remedy `again` where it is none."""
    return typed(model, files.read_json(path, again), where=path, remedy=again)


def typed(model, value, *, where, remedy, another_version=None):
    """A JSON value as the `model`; InputError that names the key where it is none, with the remedy `another_version`
    where it is of one."""
    if not isinstance(value, dict):
        raise InputError(where, "is not a complete JSON object", remedy)
    if "schema_version" in getattr(model, "model_fields", model.__annotations__):
        version = value.get("schema_version")
        if version == schema1.VERSION:
            value = _upgraded(model, value, where=where, remedy=remedy)
        elif version != SCHEMA_VERSION:
            problem = f"has schema_version {version!r}, not {SCHEMA_VERSION}"
            raise InputError(where, problem, (version and another_version) or remedy)
    try:
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key, problem = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise InputError(where, f"{key}: {problem}" if key else problem, remedy) from None


def _upgraded(model, value, *, where, remedy):
    try:
        return schema1.upgraded(value, model.__name__, SCHEMA_VERSION)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(where, f"is none of schema_version {schema1.VERSION}: {error!r}", remedy) from None


def write(path, value, *, indent=2):
    """Write a value of the model as a JSON file, on one line where `indent` is None."""
    files.write_json(path, TypeAdapter(type(value)).dump_python(value, mode="json"), indent=indent)
