"""Types of values that plugins and other processes return. This module can be imported without pydantic.

`fits` checks the type of a value without pydantic. Only pydantic checks the limits of the types below.
"""

from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin


class Limits:
    """Annotation that adds limits to a type for pydantic.

    check   function that returns a value, converted if necessary, and raises ValueError if it is invalid; or None
    schema  keys to add to the type's pydantic schema, such as ge=0
    """

    def __init__(self, check=None, **schema):
        self.check, self.schema = check, schema

    def __get_pydantic_core_schema__(self, source, handler):
        schema = {**handler(source), **self.schema}
        function = {"type": "no-info", "function": self.check}
        return {"type": "function-after", "function": function, "schema": schema} if self.check else schema


def _encodable(text):
    text.encode()  # raises UnicodeEncodeError, a ValueError, for a lone surrogate
    return text


LEAST_S, MOST_S = 1e-12, 1e9  # Limits of a call's time, in seconds
Amount = Annotated[float, Limits(strict=True, ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Limits(strict=True, ge=LEAST_S, le=MOST_S, allow_inf_nan=False)]  # Time of a call
Count = Annotated[int, Limits(strict=True, gt=0)]
Flag = Annotated[bool, Limits(strict=True)]
Text = Annotated[str, Limits(_encodable, strict=True)]  # Text that can be encoded in UTF-8


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type: a class, a Literal, a union, or a list, tuple or dictionary of these."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin in (list, tuple):
        return isinstance(value, origin) and all(fits(element, parts[0]) for element in value)
    if origin is dict:
        key, content = parts
        return isinstance(value, dict) and all(fits(k, key) and fits(v, content) for k, v in value.items())
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))
