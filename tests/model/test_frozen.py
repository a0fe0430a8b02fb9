"""Tests that the classes of the model are immutable."""

import dataclasses
import importlib
import inspect
import pkgutil

import pytest
from pretended_results import record
from pydantic import BaseModel

from accelbench import model
from accelbench.model.limits import Limits


def classes():
    names = [f"accelbench.model.{module.name}" for module in pkgutil.iter_modules(model.__path__)]
    every = {each for name in names for _, each in inspect.getmembers(importlib.import_module(name), inspect.isclass)}
    return sorted(
        (each for each in every if each.__module__ in names and each is not Limits), key=lambda each: each.__name__
    )


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.__name__)
def test_a_class_of_the_model_is_frozen(kind):
    if issubclass(kind, BaseModel):
        assert kind.model_config.get("frozen")
    else:
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen


def test_a_record_keeps_what_it_says():
    own = record("numpy_thing", compute=1.0)
    for change in (lambda: setattr(own, "size", 3), lambda: setattr(own.timings["compute"], "median_s", 3.0)):
        with pytest.raises(ValueError, match="frozen"):
            change()
