"""Tests of the notations of block sizes in configurations, files and messages."""

import json

import pytest
from pydantic import TypeAdapter

from accelbench.model.parameters import BlockSize, plain, typed
from accelbench.model.record import Parameters


@pytest.mark.parametrize(
    ("written", "text", "value", "threads"),
    [
        (256, "256", 256, 256),
        ("256", "256", 256, 256),
        ("32x8", "32x8", (32, 8), 256),
        ([16, 16], "16x16", (16, 16), 256),
        ((7, 1), "7x1", (7, 1), 7),
    ],
)
def test_block_size_is_parsed_and_written(written, text, value, threads):
    block = BlockSize.parse(written)
    assert (str(block), block.plain, block.threads) == (text, value, threads)
    assert BlockSize.parse(text) == BlockSize.parse(json.loads(json.dumps(block.plain))) == block


@pytest.mark.parametrize(
    "written", [0, -1, 1.0, True, None, "", "16x", "x16", "016", "16x16x1", [], [1, 2, 3], [8, 0], "auto"]
)
def test_block_size_rejects_what_is_none(written):
    with pytest.raises(ValueError, match="is not a block size"):
        BlockSize.parse(written)


def test_block_size_is_the_one_parameter_with_a_type_of_its_own():
    given = {"block_size": [8, 4], "unroll": 4, "order": "ij"}
    assert typed(given) == {"block_size": BlockSize((8, 4)), "unroll": 4, "order": "ij"}
    assert plain(typed(given)) == given | {"block_size": (8, 4)}


@pytest.mark.parametrize("damaged", ["exe", float("nan"), 3, ["a"]])
def test_parameters_that_are_no_mapping_are_refused(damaged):
    with pytest.raises(ValueError, match="is not a mapping of parameters"):
        TypeAdapter(Parameters).validate_python(damaged)
