"""Arbitrary arguments are answered or refused in one line."""

import jsonschema
import pytest
from exact_schema import exact_schema
from hypothesis import HealthCheck, given, settings

from benchmarks.reliability.generated import MOST_CHARACTERS, arguments_of
from server.library.library import Library
from server.library.requests.request import RequestError
from server.tools.registry import TOOLS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_arbitrary_arguments_are_answered_or_refused(tiny_library: Library, tool):
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
