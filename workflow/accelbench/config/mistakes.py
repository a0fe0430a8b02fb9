"""What pydantic finds wrong with data, in the words of a person who writes YAML."""

import re
from collections.abc import Callable
from typing import get_args

from pydantic import BaseModel, ValidationError

from accelbench.config.values import MOST_ENTRIES, shown

MISTAKES = {
    "tuple_type": "must be a list, in [ ] or with a dash on each line",
    "dict_type": "must be a mapping, `name: ...` lines",
    "model_type": "must be a mapping, `key: value` lines",
    "model_attributes_type": "must be a mapping, `key: value` lines",
    "too_long": f"has more than {MOST_ENTRIES} entries",
    "too_short": "is empty: name at least one, or leave the key out",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "string_too_short": "is empty text",
    "string_pattern_mismatch": "holds characters that cannot stand there",
    "invalid_key": "is no key: keys are text",
    "missing": "is missing",
}
# They say which value is meant themselves.
COMPLETE = ("value_error", "too_short", "too_long", "missing")


def explain(
    error: ValidationError, model: type[BaseModel], split: Callable[[list], tuple[str, list]] = lambda keys: ("", keys)
) -> tuple[str, str]:
    """(problem, remedy) of the first mistake in data that should have been a `model`.

    split  makes of the keys that lead to a place the name of the part it is in, and the keys that lead on from there
    """
    first = error.errors(include_url=False)[0]
    keys = [key for key in first["loc"] if not re.match(r"(function-|tuple\[|literal\[|\[key\])", str(key))]
    part, keys = split(keys)
    key = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
    kind, given = first["type"], first.get("input")
    if kind == "extra_forbidden":
        known = ", ".join(_keys_beside(first["loc"], model)) or "none"
        return f"{part}unknown key {key!r}", f"Keys here: {known}. config/README.md explains each"
    message = re.sub(r"^(Value error|Assertion failed), ", "", first["msg"])
    message = MISTAKES.get(kind, re.sub(r"^Input should be ", "must be ", message))
    value = "" if kind in COMPLETE or isinstance(given, BaseModel) else f" (given: {shown(given)})"
    colon = " " if kind == "missing" else ": " if key else ""
    return f"{part}{key}{colon}{message}{value}", "config/README.md explains the key and shows an example"


def _keys_beside(location, model):
    """The keys that can stand where an unknown one was found."""
    for part in location[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models(model.model_fields[part].annotation), model)
    return sorted(model.model_fields)


def _models(annotation):
    """The models in a type such as dict[str, Sweep] | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
