"""How an encoder is trained; separate from the training itself, because torch takes seconds to import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    Attributes:
        rank: rank of the updates.
        rate: peak learning rate, reached after a sixteenth of the steps; it falls to zero at the end.
        epochs: how often each question is seen.
        batch: questions per step, each with two passages.
        temperature: divisor of the similarities.
        question_tokens: maximum number of tokens read of a question.
        passage_tokens: maximum number of tokens read of a passage.
        nearest: ranks by nearness to a question, from the first number up to the second, from which wrong passages are
            drawn: the very nearest often answer it too.
        siblings: weight of the loss of two questions for one thing, relative to that of a question and its passage.
        seed: seed of everything random.
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
"""The settings of a command without options."""
