"""The list of what is measured in further repetitions."""

import pytest

from accelbench.errors import InputError
from accelbench.store import settling


def test_repetitions_are_numbered_beyond_any_configurations(tmp_path):
    assert settling.read(tmp_path, "kernel") == {}
    assert settling.add(tmp_path, "kernel", {"b", "a"}) == settling.FIRST
    assert settling.add(tmp_path, "kernel", {"c"}) == settling.FIRST + 1
    assert settling.read(tmp_path, "kernel") == {settling.FIRST: ["a", "b"], settling.FIRST + 1: ["c"]}
    assert settling.read(tmp_path, "other") == {}


@pytest.mark.parametrize("text", ["[]", '{"a": []}', '{"1001": 3}', "{"])
def test_a_damaged_list_is_named_with_its_remedy(tmp_path, text):
    path = tmp_path / "settling" / "kernel.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(InputError, match=r"settling/kernel\.json: .*Delete it"):
        settling.read(tmp_path, "kernel")
