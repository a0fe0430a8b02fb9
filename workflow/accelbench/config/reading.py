"""Read a Config from files or plain data. Errors explain the first mistake in the data."""

import itertools
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import yaml
from pydantic import BaseModel, ValidationError

from accelbench.config.model import Config
from accelbench.config.values import MOST_ENTRIES
from accelbench.errors import InputError
from accelbench.store import files

# Limits of a YAML file: its size in bytes, and its number of values after aliases are expanded
MOST_BYTES, MOST_NODES = 100_000, 50_000


class _Loader(yaml.SafeLoader):
    """Loader of YAML that refuses repeated keys, and aliases that expand to too many values.

    Numbers are decimal: 1:30 is not 90, and 010 is not 8.
    """

    def get_single_node(self):
        node = super().get_single_node()
        if _expanded(node, {}) > MOST_NODES:
            raise yaml.constructor.ConstructorError(
                None, None, f"it has more than {MOST_NODES} values after expansion of its aliases", node.start_mark
            )
        return node

    def construct_mapping(self, node, deep=False):
        keys = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} occurs twice", key.start_mark
                    )
                keys.add(key.value)
        return super().construct_mapping(node, deep)


NUMBERS = {
    "int": r"[-+]?(?:0|[1-9][0-9_]*)",
    "float": r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|\.inf)|\.nan",
}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] not in NUMBERS]
    for first, known in _Loader.yaml_implicit_resolvers.items()
}
for _name, _pattern in NUMBERS.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(rf"(?:{_pattern})\Z"), list("-+.0123456789"))


def _expanded(node, counted):
    """Return the number of values of a YAML node with aliases expanded. Return infinity if the node contains itself."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in counted:
        counted[id(node)] = math.inf
        parts = itertools.chain(*node.value) if isinstance(node, yaml.MappingNode) else node.value
        counted[id(node)] = 1 + sum(_expanded(part, counted) for part in parts)
    return counted[id(node)]


def where(paths):
    """Return the text by which messages name the configuration in these files."""
    return " + ".join(map(str, paths))


def read_data(*paths, settings=()):
    """Return the mapping in YAML files without validating it.

    A later file overrides an earlier file key by key, also inside nested mappings. The `settings` of the command line
    override all files in the same way. The key `kernels` is an exception: in `settings`, it replaces the whole value.

    Raise InputError if a file cannot be read or does not contain a mapping.
    """
    data = {}
    for layer in (*map(_read, paths), {"kernels": None} if "kernels" in settings else {}, dict(settings)):
        _update(data, layer)
    return data


def _update(data, other):
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(data.get(key), dict):
            _update(data[key], value)
        else:
            data[key] = value


def _read(path):
    path = Path(path)
    try:
        files.check_size(path, MOST_BYTES)
        data = yaml.load(path.read_bytes().decode("utf-8"), _Loader)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Name an existing configuration file") from None
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8 text", "Save it as UTF-8") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        raise InputError(
            f"{path}:{place.line + 1}" if place else path,
            f"is not YAML: {getattr(error, 'problem', error)}",
            "Correct that line",
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"is not YAML: {error}", "Correct it; config/README.md shows examples") from None
    if data is None:
        raise InputError(path, "is empty", "Write {} into it to measure everything with the defaults")
    if not isinstance(data, dict):
        raise InputError(path, f"is a {type(data).__name__}, not a mapping", "Write `key: value` lines")
    return data


def read_setting(word):
    """Return {key: value} for the text key=value, with the value read as YAML. Raise InputError for other texts."""
    key, equals, value = word.partition("=")
    try:
        if equals and key.strip():
            return {key.strip(): yaml.load(value, _Loader)}
        problem = f"{word!r} does not have the form key=value"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = f"{word!r}: its value is not YAML: {getattr(error, 'problem', error)}"
    raise InputError("--config", problem, "Write --config key=value, such as preset=smoke, after all targets")


def typed(value):
    """Return `value`, with each string that YAML reads as a number, bool or null converted to this type."""
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [typed(part) for part in value]
    try:
        meant = yaml.load(value, _Loader) if isinstance(value, str) else value
    except (yaml.YAMLError, ValueError):
        return value
    return meant if meant is None or isinstance(meant, (bool, int, float)) else value


def read(*paths):
    """Return the Config in YAML files, merged as by `read_data`. Raise InputError if it is not valid."""
    return parse(read_data(*paths), where(paths))


def parse(data, where="configuration"):
    """Return `data` as a Config. If `data` are not valid, raise InputError with `where`, the key and the remedy."""
    if not isinstance(data, dict):
        raise InputError(where, f"is a {type(data).__name__}, not a mapping", "Write `key: value` lines")
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise InputError(where, *explain(error, Config)) from None


# {kind of pydantic's error: message for the author of a YAML file}
MISTAKES = {
    "tuple_type": "must be a list, in [ ] or with a dash on each line",
    "dict_type": "must be a mapping, `name: ...` lines",
    "model_type": "must be a mapping, `key: value` lines",
    "model_attributes_type": "must be a mapping, `key: value` lines",
    "too_long": f"has more than {MOST_ENTRIES} entries",
    "too_short": "is empty: name at least one, or leave the key out",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "string_too_short": "is empty text",
    "string_pattern_mismatch": "contains characters that are not allowed",
    "invalid_key": "is not a key: keys are text",
    "missing": "is missing",
}
# Kinds of pydantic's errors for which `explain` does not print the given value
COMPLETE = ("value_error", "too_short", "too_long", "missing")


def explain(
    error: ValidationError, model: type[BaseModel], split: Callable[[list], tuple[str, list]] = lambda keys: ("", keys)
) -> tuple[str, str]:
    """Return (problem, remedy) for the first mistake in the data of a `model`.

    split  function that splits the keys leading to the mistake into (name of a part of the data, keys in this part)
    """
    first = error.errors(include_url=False)[0]
    kind, location, text, given = (first.get(name) for name in ("type", "loc", "msg", "input"))
    keys = [key for key in location if not re.match(r"(function-|tuple\[|literal\[|\[key\])", str(key))]
    part, keys = split(keys)
    key = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
    if kind == "extra_forbidden":
        known = ", ".join(_keys_beside(location, model)) or "none"
        return f"{part}unknown key {key!r}", f"Keys here: {known}. config/README.md explains each"
    message = re.sub(r"^(Value error|Assertion failed), ", "", text)
    message = MISTAKES.get(kind, re.sub(r"^Input should be ", "must be ", message))
    value = "" if kind in COMPLETE or isinstance(given, BaseModel) else f" (given: {given!r:.80})"
    colon = " " if kind == "missing" else ": " if key else ""
    return f"{part}{key}{colon}{message}{value}", "config/README.md explains the key and shows an example"


def _keys_beside(location, model):
    """Return the keys that are allowed in the place of an unknown key."""
    for part in location[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models(model.model_fields[part].annotation), model)
    return sorted(model.model_fields)


def _models(annotation):
    """Yield the models in a type such as dict[str, Sweep] | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
