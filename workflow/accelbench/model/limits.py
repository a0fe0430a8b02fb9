"""Types of what other processes answer, with limits that pydantic checks. Importing them needs no pydantic."""

from typing import Annotated


class Limits:
    """Keys of a type's pydantic schema, and a function that checks or converts the value (ValueError)."""

    def __init__(self, check=None, **schema):
        self.check, self.schema = check, schema

    def __get_pydantic_core_schema__(self, source, handler):
        schema = {**handler(source), **self.schema}
        function = {"type": "no-info", "function": self.check}
        return {"type": "function-after", "function": function, "schema": schema} if self.check else schema


def _encodable(text):
    text.encode()  # UnicodeEncodeError for a lone surrogate
    return text


LEAST_S, MOST_S = 1e-12, 1e9  # Limits of a call's time, in seconds
Amount = Annotated[float, Limits(strict=True, ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Limits(strict=True, ge=LEAST_S, le=MOST_S, allow_inf_nan=False)]  # Time of a call
Count = Annotated[int, Limits(strict=True, gt=0)]
Flag = Annotated[bool, Limits(strict=True)]
Text = Annotated[str, Limits(_encodable, strict=True)]  # Text that a file can hold
