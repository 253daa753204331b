"""How an encoder is trained, apart from what trains it: torch takes seconds to import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    Attributes:
        rank: of the updates.
        rate: learning rate at its highest, after a sixteenth of the steps; it falls to nothing at the end.
        epochs: how often each question is seen.
        batch: questions in a step; twice as many passages.
        temperature: by which similarities are divided.
        question_tokens: what is read of a question.
        passage_tokens: what is read of a passage.
        nearest: wrong passages are drawn from those so near to a question that rank from the first number up to the
            second: the very nearest often answer it too.
        siblings: weight of two questions for one thing beside a question and its passage.
        seed: of all that is drawn.
    """

    rank: int = 32
    rate: float = 3e-4
    epochs: int = 2
    batch: int = 128
    temperature: float = 0.05
    question_tokens: int = 48
    passage_tokens: int = 96
    nearest: tuple[int, int] = (3, 40)
    siblings: float = 0.3
    seed: int = 7


DEFAULTS: Final = Settings()
"""What a command without options trains with."""
