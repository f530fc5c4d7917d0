"""Rankers that are encoders of Sentence-Transformers: weights in a folder on this machine, nothing is downloaded.

A cross-encoder reads task and element together (Deng et al. 2023, section 3.1); a bi-encoder reads each alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.kit.errors import UserError
from harness.kit.files.codec import read
from harness.kit.files.writing import write_json
from harness.models.client import MissingExtra
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery
from harness.papers.mind2web.mindact_options import BI_ENCODER, CROSS_ENCODER

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

WEBSITES = "websites.json"
"""Beside the weights: the sites that a cross-encoder was trained on."""
EXTRA = "ranker"
LONGEST_PAIR = 256
"""Tokens of task and element together; of more the end is cut off."""
AT_ONCE = 32
MOST_READ = 50_000
"""Texts of which a bi-encoder remembers what it has read: some 80 MB."""
_SAFE: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
_WEIGHTS = {"use_safetensors": True}
"""Weights in any other form can be programs."""


class NoEncoder(UserError):
    """A folder that holds no encoder; the message says why."""


class CrossEncoderRanker:
    """Scores each element together with the task, by a model that was trained for it."""

    def __init__(self, model: CrossEncoder, learned_from: tuple[str, ...] = (), name: str = CROSS_ENCODER) -> None:
        """Score by ``model``.

        Args:
            model: The model.
            learned_from: The sites that it was trained on here.
            name: As it is told in tables.
        """
        self.model = model
        self.name = name
        self.learned_from = learned_from

    @classmethod
    def read(cls, folder: Path, name: str = CROSS_ENCODER) -> CrossEncoderRanker:
        """The cross-encoder in a folder.

        Args:
            folder: As Sentence-Transformers or ``turkbench papers mind2web train`` writes it; of a plain encoder
                the part that gives the score is new, and means nothing before it is trained.
            name: As it is told in tables.

        Raises:
            MissingExtra: Sentence-Transformers is not installed.
            NoEncoder: there is no such model.
        """
        library = _library(folder)
        from torch.random import fork_rng, manual_seed  # noqa: PLC0415 - the library is there, so it is

        try:
            with fork_rng():
                manual_seed(0)  # The new part, if there is one, is the same each time.
                model = library.CrossEncoder(
                    str(folder), num_labels=1, max_length=LONGEST_PAIR, model_kwargs=_WEIGHTS, **_SAFE
                )
            websites = read(folder / WEBSITES, tuple[str, ...]) if (folder / WEBSITES).exists() else ()
        except (OSError, ValueError, KeyError) as error:
            raise NoEncoder(f"{folder} holds no cross-encoder: {error}") from error
        return cls(model, websites, name)

    def write(self, folder: Path) -> None:
        """Keep it with its weights.

        Raises:
            OSError: it cannot be written.
        """
        self.model.save_pretrained(str(folder), safe_serialization=True)
        write_json(folder / WEBSITES, self.learned_from)

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """The model's logits."""
        pairs = [(query.words, element.words) for element in elements]
        if not pairs:
            return []
        from torch.nn import Identity  # noqa: PLC0415 - the model is there, so it is

        # The usual sigmoid makes equals of all that are nearly certain.
        scores = self.model.predict(pairs, batch_size=AT_ONCE, show_progress_bar=False, activation_fn=Identity())
        return [float(score) for score in scores]


class BiEncoderRanker:
    """Compares the meaning of each element with that of the task, by a model that was trained on other texts."""

    name = BI_ENCODER
    learned_from = ()

    def __init__(self, model: SentenceTransformer) -> None:
        """Compare by ``model``."""
        self._model = model
        self._read: dict[str, Any] = {}

    @classmethod
    def read(cls, folder: Path) -> BiEncoderRanker:
        """The bi-encoder in a folder; errors as of ``CrossEncoderRanker.read``."""
        library = _library(folder)
        try:
            return cls(library.SentenceTransformer(str(folder), model_kwargs=_WEIGHTS, **_SAFE))
        except (OSError, ValueError, KeyError) as error:
            raise NoEncoder(f"{folder} holds no bi-encoder: {error}") from error

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """The cosine of task and element.

        Pages of a site share most of their elements, and each text is read once.
        """
        if not elements:
            return []
        texts = [query.words, *(element.words for element in elements)]
        if len(self._read) > MOST_READ:
            self._read.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._read]
        found = self._model.encode(new, batch_size=AT_ONCE, show_progress_bar=False, normalize_embeddings=True)
        self._read.update(zip(new, found, strict=True))
        task, *read_elements = (self._read[text] for text in texts)
        return [float(each @ task) for each in read_elements]


def _library(folder: Path) -> Any:
    if not folder.is_dir():
        raise NoEncoder(f"{folder} is no folder: an encoder is a folder with its weights (model.safetensors)")
    try:
        import sentence_transformers  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise MissingExtra("sentence-transformers", EXTRA) from error
    return sentence_transformers
