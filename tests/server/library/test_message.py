"""Messages: texts that know what they mention."""

import copy
import json
import pickle

from server.library.message import Call, Given, Message, Named, NamedTool, enumerated, joined
from server.library.records.json_text import json_text

CALL = Call("lookup_rule", (Given("name", "Übung"), Given("documents", ("a", "b"))), lead=": ")
MESSAGE = Message(
    "Use ", NamedTool("search_rule"), CALL, " or ", Named("cr_max", left_out=True), " ", Given("x", value=True)
)
TEXT = 'Use search_rule: lookup_rule(name="Übung", documents=["a", "b"]) or cr_max x=true'


def test_its_text_is_what_callers_of_tools_write():
    assert MESSAGE == TEXT
    assert str(MESSAGE) == TEXT
    assert Given("documents", ("5e-2014",), lead="documents, e.g. ").texts == ("5e-2014",)
    assert Given("level", 3).texts == ("3",)
    assert str(Given("documents", ("5e-2014",), lead="documents, e.g. ")) == 'documents, e.g. ["5e-2014"]'


def test_it_is_the_same_json_as_its_text():
    for write in (json.dumps, json_text):
        assert write({"message": MESSAGE}) == write({"message": TEXT})


def test_copies_know_what_they_mention():
    for same in (copy.deepcopy(MESSAGE), pickle.loads(pickle.dumps(MESSAGE)), Message(MESSAGE)):  # noqa: S301
        assert same == MESSAGE
        assert same.pieces == MESSAGE.pieces


def test_joined_messages_keep_what_they_mention():
    one, other = Message("Leave out ", Named("type"), "."), Message(Named("cr"), " too.")
    assert joined((one, None, "", "Or not.", other)) == "Leave out type. Or not. cr too."
    assert joined((one, other)).pieces == (*one.pieces, " ", *other.pieces)
    assert joined(()) == ""
    assert [enumerated(["a", "b", "c"][:number], "or") for number in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert enumerated([Named("cr"), other]).pieces == (Named("cr"), " and ", *other.pieces)
