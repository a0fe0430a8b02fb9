"""Decorator that caches the results of a method in each instance of the class."""

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Return `method` with a cache for each instance. The arguments of a call are the key in this cache."""
    return cached_property(lambda self: cache(partial(method, self)))  # type: ignore[return-value]
