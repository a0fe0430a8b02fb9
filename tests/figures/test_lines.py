"""Tests of the vertical placement of labels beside lines."""

import itertools

import pytest

from accelbench.figures import lines


@pytest.mark.parametrize("places", [[0.5] * 9, [0, 0, 1, 1], [0.1, 0.5, 0.51, 0.9], [1.0], [0.98, 0.99, 1.0]])
def test_labels_keep_their_order_and_distance(places):
    gap = 0.1
    moved = lines.spread(places, gap)
    assert all(b - a >= gap - 1e-9 for a, b in itertools.pairwise(moved))
    assert moved[0] >= -1e-9
    assert moved[-1] <= 1 + 1e-9


def test_labels_with_room_stay_where_they_are():
    assert lines.spread([0.1, 0.4, 0.9], 0.1) == pytest.approx([0.1, 0.4, 0.9])
