"""Decorator that caches the results of a method in its instance."""

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Decorate a method so that each instance caches its results, by their arguments, during its lifetime."""
    return cached_property(lambda self: cache(partial(method, self)))  # type: ignore[return-value]
