"""Members of JSON texts are set and removed without changing the rest of the text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clients.json_edit import EditError, get_member, remove_member, set_member

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
ROOTS = st.builds(
    lambda rest, servers: {**rest, "servers": servers},
    st.dictionaries(st.text(max_size=5).filter(lambda name: name != "servers"), VALUES, max_size=4),
    OBJECTS,
) | OBJECTS.filter(lambda root: "servers" not in root)
INDENTS = st.sampled_from([None, 0, 2, 4, "\t"])

COMMENTED = """\
// servers of this machine
{
    "theme": "dark", /* not "light" */
    "servers": {
        // a server of mine: {"url": "http://x"}
        "other": { "command": "a,}", },
    },
}
"""


@given(ROOTS, INDENTS, VALUES.filter(lambda value: value is not None))
def test_only_the_member_changes(root: dict[str, Any], indent: Any, value: Any):
    text = json.dumps(root, indent=indent)
    edited = set_member(text, "servers", "own", value)
    assert json.loads(edited) == {**root, "servers": {**root.get("servers", {}), "own": value}}
    assert get_member(edited, "servers", "own") == value
    removed = json.loads(remove_member(edited, "servers", "own"))
    wanted = {name: other for name, other in root.get("servers", {}).items() if name != "own"}
    assert removed == {**root, "servers": wanted}


def test_comments_and_trailing_commas_are_kept():
    edited = set_member(COMMENTED, "servers", "own", {"command": "x"})
    other = '        "other": { "command": "a,}", },'
    own = '        "own": {\n            "command": "x"\n        },'
    assert edited == COMMENTED.replace(other, f"{other.rstrip(',')},\n{own}")
    assert remove_member(edited, "servers", "own") == COMMENTED


def test_an_empty_object_keeps_its_comment():
    edited = set_member('{\n  "servers": {\n    // none yet\n  }\n}\n', "servers", "own", 1)
    assert edited == '{\n  "servers": {\n    // none yet\n    "own": 1\n  }\n}\n'


@pytest.mark.parametrize("text", ["[]", '{"servers": []}', "{", '{"a" 1}', '{"servers": {} // }', "\ufeff"])
def test_text_that_is_not_an_object_is_refused(text: str):
    with pytest.raises(EditError):
        set_member(text, "servers", "own", 1)
