"""Training: it pulls questions towards the passages that answer them, and pushes them away from others.

The loss is the usual one of bi-encoders (InfoNCE): among the passages of a batch, each question's own must be the
nearest. Half of the passages are hard negatives: near some question without answering it, by the encoder's vectors at
the start of the epoch. Two questions for one thing are also pulled together, like a question and its passage, since
search compares queries with phrases too.
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
    """A sentence encoder in training."""

    def __init__(self, model: Model, *, half: bool) -> None:
        """Load a model.

        Args:
            model: the model.
            half: compute in bfloat16, many times faster than single precision on the few processors made for it.

        Raises:
            ModelError: it is not a sentence encoder, or not a transformer.
        """
        loaded = load(model)  # without dropout, which so few parameters do not need
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
            max_tokens: maximum number of tokens read of each, within the model's own limit.
            groups: number of groups of texts of similar length, each encoded together.
        """
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        size = math.ceil(len(order) / groups)
        parts = [order[start : start + size] for start in range(0, len(order), size)]
        found = torch.cat([self._encode([texts[number] for number in part], max_tokens) for part in parts])
        return found[torch.tensor(np.argsort(order))]

    def of_questions(self, questions: Sequence[str], max_tokens: int, groups: int = 1) -> torch.Tensor:
        """As `vectors`, for questions, with the model's prompt."""
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
    """A training run: what is learnt, by which encoder, and how.

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
            save: called with the updates after each epoch.
            progress: called as the work progresses.
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
        """Mean reciprocal rank of the right thing among all things, by its best passage: 1 if it is always first."""
        owners, number_of = self._owners()
        passages, vectors = self._passage_vectors(), self._question_vectors(asked)
        reciprocals = []
        for example, products in zip(asked, vectors @ passages.T, strict=True):
            nearer = set(owners[products > products[list(example.answers)].max()])
            reciprocals.append(1 / (1 + len(nearer - {number_of[thing] for thing in example.things})))
        return float(np.mean(reciprocals))

    def _candidates(self) -> tuple[list[Numbers], list[Numbers]]:
        """For each question, the nearest two of its own passages, and wrong passages that are near."""
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
        """The number of each passage's thing, and thing → number."""
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
        answers = self.trainee.vectors([library.passages[n].text for n in passages], settings.passage_tokens, 4)
        # Other passages about the requested thing are not wrong answers.
        also = torch.tensor([[library.things[n] in question.things for n in passages] for question in questions])
        also.fill_diagonal_(fill_value=False)
        targets = torch.arange(len(questions))

        def against(others: torch.Tensor) -> torch.Tensor:
            products = (asked @ others.T / settings.temperature).masked_fill(also[:, : len(others)], -1e4)
            return cross_entropy(products, targets)

        return against(answers) + settings.siblings * against(asked_too)


def _groups(texts: Sequence[str]) -> int:
    """The number of groups in which many texts are encoded, of 64 each."""
    return math.ceil(len(texts) / 64)


def _share_of_rate(step: int, steps: int) -> float:
    """The share of the peak learning rate: it rises for the first sixteenth of the steps, and falls throughout."""
    return min(1.0, 16 * (step + 1) / steps) * (steps - step) / steps
