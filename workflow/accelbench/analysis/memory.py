"""Results of methods, kept with their instance."""

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Make a method work out each result once for an instance, which keeps the results as long as it lasts."""
    return cached_property(lambda self: cache(partial(method, self)))  # type: ignore[return-value]
