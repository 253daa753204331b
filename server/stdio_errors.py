"""Answers on stdio to lines that are no message, as JSON-RPC requires: the SDK drops them, and their senders wait."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData
from mcp_types.jsonrpc import JSONRPCError
from pydantic import ValidationError

if TYPE_CHECKING:
    import contextvars

    from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream

_NOT_JSON: Final = "json_invalid"
"""Pydantic's type of the error for a line that is not JSON."""
_LACKS_A_MEMBER: Final = "missing"
"""Pydantic's type of the error for an object that lacks a member of a kind of message; its input is the object."""
_NO_MESSAGE: Final = "Invalid Request: a line takes one JSON-RPC 2.0 message, as an object; batches are not supported"


class AnsweringErrors:
    """A stream of messages in which lines that are none are answered instead of passed on."""

    def __init__(
        self,
        messages: ContextReceiveStream[SessionMessage | Exception],
        answers: ContextSendStream[SessionMessage],
    ) -> None:
        """Read from `messages`, which has an exception for each line that is no message."""
        self._messages = messages
        self._answers = answers

    @property
    def last_context(self) -> contextvars.Context | None:
        """The context of whoever sent the last message."""
        return self._messages.last_context

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        while isinstance(item := await self._messages.receive(), ValidationError):
            if (answer := _answer(item)) is not None:
                await self._answers.send(SessionMessage(answer))
        return item

    async def aclose(self) -> None:
        """Close the stream."""
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        """The messages."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """The next message."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        """The stream, which is closed at the end of the block."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the stream."""
        await self.aclose()


def _answer(error: ValidationError) -> JSONRPCError | None:
    """The answer to a line that is no message; None for an empty line."""
    details = error.errors(include_url=False)
    if details[0]["type"] != _NOT_JSON:
        objects = (detail["input"] for detail in details if detail["type"] == _LACKS_A_MEMBER)
        return _refusal(INVALID_REQUEST, _NO_MESSAGE, next(objects, None))
    line = details[0]["input"]
    if not line.strip():
        return None
    try:
        sent = json.loads(line)  # it reads more than the SDK does, such as half of a surrogate pair
    except (ValueError, RecursionError):
        sent = None
    return _refusal(PARSE_ERROR, f"Parse error: {details[0]['ctx']['error']}", sent)


def _refusal(code: int, message: str, sent: object) -> JSONRPCError:
    """An error with the id of what was sent, as far as it has a valid one."""
    error = {"jsonrpc": "2.0", "id": None, "error": ErrorData(code=code, message=message)}
    try:
        identified = JSONRPCError.model_validate(error | {"id": sent.get("id") if isinstance(sent, dict) else None})
        identified.model_dump_json()  # an id with half of a surrogate pair is valid, but cannot be sent
    except ValueError:
        return JSONRPCError.model_validate(error)
    return identified
