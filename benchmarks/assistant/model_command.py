"""A model behind a command: one process per case, with JSON lines on its stdin and stdout."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from benchmarks.assistant.cases import Case
from benchmarks.assistant.conversation import Tools, following, is_over, opening, proceed, read_reply
from benchmarks.assistant.transcript import Run, RunFolder, Transcript

LINE_LIMIT: Final = 1 << 20
"""Maximum size of a reply in bytes."""


async def run_cases(command: str, cases: Sequence[Case], folder: RunFolder, tools: Tools, jobs: int) -> None:
    """Ask a model every case that is not over yet, `jobs` at a time; the folder keeps the transcripts."""
    run = folder.run()
    places = asyncio.Semaphore(jobs)

    async def ask(case: Case) -> None:
        transcript = folder.transcript(case.id)
        if is_over(case, transcript):
            return
        async with places:
            folder.keep(await converse(command, case, run, tools))

    async with asyncio.TaskGroup() as group:
        for case in cases:
            group.create_task(ask(case))


async def converse(command: str, case: Case, run: Run, tools: Tools) -> Transcript:
    """Hold one case's conversation. A model that ends, or does not keep to the protocol, has failed the case."""
    transcript = Transcript(id=case.id)
    message = opening(run, case)
    async with _process(command) as process:
        while not is_over(case, transcript):
            try:
                await proceed(case, transcript, read_reply(await _exchange(process, message)), tools)
            except (ValueError, ConnectionError) as error:
                transcript.failure = str(error)
            if transcript.turns:
                message = following(transcript.turns[-1])
    return transcript


async def _exchange(process: asyncio.subprocess.Process, message: dict[str, Any]) -> bytes:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    await process.stdin.drain()
    if line := await process.stdout.readline():
        return line
    msg = "the model's command ended without a reply"
    raise ConnectionError(msg)


@asynccontextmanager
async def _process(command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*shlex.split(command), stdin=pipe, stdout=pipe, limit=LINE_LIMIT)
    try:
        yield process
    finally:
        assert process.stdin
        process.stdin.close()
        await process.wait()
