"""Whatever a model sends, a tool answers or refuses in one clear line."""

import jsonschema
import pytest
from exact_schema import exact_schema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.library.library import Library
from server.library.request import RequestError
from server.tools.registry import TOOLS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
WORDS = st.sampled_from(
    ["", " ", "fire", "f*", "%", "?", "(a|b)*", "evocation", "1/4", "yes", "wizard", "srd-5e", "class", "rule", "all"]
)
SENSIBLE = WORDS | st.booleans() | st.integers(-1, 40) | st.lists(WORDS, max_size=2)

MOST_CHARACTERS = 700
"""Of a refusal: the longest lists two dozen content types."""


def arguments_of(tool):
    """Arguments for a tool: mostly its own parameters with values that could be meant, sometimes anything."""
    required = {p.name: st.sampled_from(p.schema.get("enum", ["", "fire"])) for p in tool.parameters if p.required}
    names = [p.name for p in tool.parameters]
    known = {
        p.name: SENSIBLE | st.sampled_from(p.schema.get("enum", [None])) for p in tool.parameters if not p.required
    }
    return st.one_of(
        st.fixed_dictionaries(required, optional=known),
        st.fixed_dictionaries({}, optional=dict.fromkeys(names, JSON)),
        st.dictionaries(st.sampled_from([*names, "name", "document", "lvl"]) | st.text(max_size=8), JSON, max_size=4),
    )


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_junk_is_answered_or_refused(tiny_library: Library, tool):
    validator = jsonschema.Draft202012Validator(exact_schema(tool))

    @settings(suppress_health_check=list(HealthCheck))
    @given(arguments=arguments_of(tool))
    def answered_or_refused(arguments):
        try:
            answer = tool.call(tiny_library, arguments)
        except RequestError as error:
            refusal = str(error)
        else:
            validator.validate(answer)
            return
        assert 0 < len(refusal) < MOST_CHARACTERS

    answered_or_refused()
