"""Training: questions are drawn to the passages that answer them, and away from the others.

The loss is the usual one of bi-encoders (InfoNCE): among the passages of a batch, each question's own must be the
nearest. Half of them are hard: near to some question without answering it, as the encoder sees it when an epoch
begins. And two questions for one thing belong together as a question and its passage do, since search compares queries
with phrases too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize

from build_pipeline.index.graph import Vectors
from build_pipeline.index.models import Model, ModelError, load
from build_pipeline.index.phrases import Thing
from build_pipeline.training.low_rank import LowRank, with_updates
from build_pipeline.training.questions import Example, Library
from build_pipeline.training.settings import Settings

Numbers = npt.NDArray[np.int64]
"""int64[n]."""

Progress = Callable[[str, int, int], None]
"""Progress callback: (stage, done, total)."""


class Trainee:
    """A sentence encoder that learns."""

    def __init__(self, model: Model, *, half: bool) -> None:
        """Load a model.

        Args:
            model: the model.
            half: compute in bfloat16, which few processors do faster than single precision, but those many times.

        Raises:
            ModelError: it is no sentence encoder, or no transformer.
        """
        loaded = load(model)  # without dropout: what a few updates learn needs none
        self._modules: list[Any] = list(loaded)
        self._longest = int(loaded.max_seq_length or 512)
        self._prompt: str = loaded.prompts.get("query") or ""
        if loaded.transformers_model is None:
            msg = f"{model.folder} is not a transformer: it has no matrices to update"
            raise ModelError(msg)
        self.transformer: nn.Module = loaded.transformers_model
        if half:
            self.transformer.bfloat16()

    def vectors(self, texts: Sequence[str], max_tokens: int, groups: int = 1) -> torch.Tensor:
        """Unit vectors of texts, float32, (len(texts), dimensions).

        Args:
            texts: what to encode.
            max_tokens: what is read of each, if the model reads so much.
            groups: texts are encoded in as many groups of similar length.
        """
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        size = math.ceil(len(order) / groups)
        parts = [order[start : start + size] for start in range(0, len(order), size)]
        found = torch.cat([self._encode([texts[number] for number in part], max_tokens) for part in parts])
        return found[torch.tensor(np.argsort(order))]

    def of_questions(self, questions: Sequence[str], max_tokens: int, groups: int = 1) -> torch.Tensor:
        """As `vectors`, of questions, with the model's prompt."""
        return self.vectors([self._prompt + question for question in questions], max_tokens, groups)

    def _encode(self, texts: list[str], max_tokens: int) -> torch.Tensor:
        tokens = self._modules[0].tokenizer(
            texts, truncation=True, max_length=min(max_tokens, self._longest), padding=True, return_tensors="pt"
        )
        features: dict[str, Any] = self._modules[0](dict(tokens))
        features["token_embeddings"] = features["token_embeddings"].float()
        for module in self._modules[1:]:
            features = module(features)
        return normalize(features["sentence_embedding"], dim=1)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learnt, by whom and how.

    Attributes:
        trainee: the encoder that learns.
        library: the passages that answer.
        learnt: the questions.
        settings: how to train.
    """

    trainee: Trainee
    library: Library
    learnt: Sequence[Example]
    settings: Settings

    def train(self, save: Callable[[Mapping[str, LowRank]], None], progress: Progress = lambda *_: None) -> None:
        """Learn the answers to the questions.

        Args:
            save: takes the updates after each epoch.
            progress: called as the work goes on.
        """
        settings = self.settings
        torch.manual_seed(settings.seed)
        draw = np.random.default_rng(settings.seed)
        updates = with_updates(self.trainee.transformer, settings.rank)
        parameters = [matrix for update in updates.values() for matrix in (update.down, update.up)]
        optimizer = torch.optim.AdamW(parameters, lr=settings.rate, weight_decay=0.01)
        an_epoch = len(self.learnt) // settings.batch
        steps = settings.epochs * an_epoch
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _share_of_rate(step, steps))
        for epoch in range(settings.epochs):
            progress("looking for wrong answers", epoch, settings.epochs)
            candidates = self._candidates()
            progress("looking for wrong answers", epoch + 1, settings.epochs)
            for step, numbers in enumerate(self._batches(draw), epoch * an_epoch + 1):
                passages = [int(draw.choice(pool[number])) for pool in candidates for number in numbers]
                loss = self._loss([self.learnt[number] for number in numbers], passages, draw)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(parameters, 1.0)
                optimizer.step()
                schedule.step()
                progress("training", step, steps)
            save(updates)

    def mean_reciprocal_rank(self, asked: Sequence[Example]) -> float:
        """How far up the right thing comes among all things, by its best passage: 1 if it is always the first."""
        owners, number_of = self._owners()
        passages, vectors = self._passage_vectors(), self._question_vectors(asked)
        reciprocals = []
        for example, products in zip(asked, vectors @ passages.T, strict=True):
            nearer = set(owners[products > products[list(example.answers)].max()])
            reciprocals.append(1 / (1 + len(nearer - {number_of[thing] for thing in example.things})))
        return float(np.mean(reciprocals))

    def _candidates(self) -> tuple[list[Numbers], list[Numbers]]:
        """For each question the two of its passages that are nearest to it, and wrong ones that are near."""
        first, last = self.settings.nearest
        owners, number_of = self._owners()
        passages = self._passage_vectors()
        right, wrong = [], []
        for example, vector in zip(self.learnt, self._question_vectors(self.learnt), strict=True):
            products = passages @ vector
            answers = np.array(example.answers)
            right.append(answers[np.argsort(-products[answers], kind="stable")[:2]])
            products[np.isin(owners, [number_of[thing] for thing in example.things])] = -1
            wrong.append(np.argsort(-products, kind="stable")[first:last])
        return right, wrong

    def _owners(self) -> tuple[Numbers, dict[Thing, int]]:
        """Of each passage the number of the thing that it is about, and the numbers of things."""
        number_of = {thing: number for number, thing in enumerate(self.library.of_thing)}
        return np.array([number_of[thing] for thing in self.library.things]), number_of

    def _passage_vectors(self) -> Vectors:
        texts = [passage.text for passage in self.library.passages]
        with torch.inference_mode():
            found: Vectors = self.trainee.vectors(texts, self.settings.passage_tokens, _groups(texts)).numpy()
        return found

    def _question_vectors(self, asked: Sequence[Example]) -> Vectors:
        texts = [example.text for example in asked]
        with torch.inference_mode():
            found: Vectors = self.trainee.of_questions(texts, self.settings.question_tokens, _groups(texts)).numpy()
        return found

    def _batches(self, draw: np.random.Generator) -> Iterator[Numbers]:
        order, size = draw.permutation(len(self.learnt)), self.settings.batch
        for start in range(0, len(order) - size + 1, size):
            yield order[start : start + size]

    def _loss(self, questions: Sequence[Example], passages: Sequence[int], draw: np.random.Generator) -> torch.Tensor:
        """The loss of a batch: its questions against passages, the right ones first, and against their siblings."""
        settings, library = self.settings, self.library
        siblings = [str(draw.choice(question.others)) for question in questions]
        asked = self.trainee.of_questions([question.text for question in questions], settings.question_tokens, 2)
        asked_too = self.trainee.of_questions(siblings, settings.question_tokens, 2)
        told = self.trainee.vectors([library.passages[n].text for n in passages], settings.passage_tokens, 4)
        # What else is about the thing that is asked for is no wrong answer.
        also = torch.tensor([[library.things[n] in question.things for n in passages] for question in questions])
        also.fill_diagonal_(fill_value=False)
        targets = torch.arange(len(questions))

        def against(others: torch.Tensor) -> torch.Tensor:
            products = (asked @ others.T / settings.temperature).masked_fill(also[:, : len(others)], -1e4)
            return cross_entropy(products, targets)

        return against(told) + settings.siblings * against(asked_too)


def _groups(texts: Sequence[str]) -> int:
    """In how many groups many texts are encoded: of 64 each."""
    return math.ceil(len(texts) / 64)


def _share_of_rate(step: int, steps: int) -> float:
    """Of the highest learning rate: it rises for a sixteenth of the steps, and falls for all."""
    return min(1.0, 16 * (step + 1) / steps) * (steps - step) / steps
