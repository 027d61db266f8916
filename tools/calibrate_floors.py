"""Where the floors of core/search/routing.py come from: `python tools/calibrate_floors.py`.

For questions that have an answer (those of the sample documents, and the public set where it is
beside this checkout) and for questions about things that nobody wrote of, the cosine and the share
of the best possible BM25 of the best passage; then how many of each kind a floor lets through.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "app"), str(ROOT / "tests")]

from chunkscope.core.search import lexical  # noqa: E402
from chunkscope.core.search.query import match_query  # noqa: E402
from chunkscope.core.workspace import Profile, Workspace  # noqa: E402
from support.sample_queries import KEYWORD, NEGATIVE, PARAPHRASE  # noqa: E402

EVALUATION = ROOT.parent / "shared" / "data" / "chunking-eval"
FLOORS = (0.20, 0.25, 0.28, 0.30, 0.32, 0.35, 0.40)
SHARES = (0.10, 0.15, 0.20, 0.25)
MORE_NEGATIVE = (
    "what is the boiling point of tungsten",
    "recipe for chocolate chip cookies",
    "how to repair a bicycle chain",
    "population of Madagascar by region",
    "rules of contract bridge bidding",
    "how does photosynthesis work in desert cacti",
    "opening hours of the Louvre museum",
    "translate good morning into Swahili",
    "best hiking boots for wide feet",
    "symptoms of vitamin B12 deficiency",
    "who painted the ceiling of the Sistine Chapel",
    "how to file a patent in Brazil",
)


@dataclass(frozen=True)
class Best:
    """The best that each channel finds for a question."""

    cosine: float
    share: float


def best(workspace: Workspace, embedder: str, questions: Sequence[str]) -> list[Best]:
    with workspace.store.snapshot() as connection:
        profile = workspace.profiles()[0]
        index = workspace.searcher.dense.get(connection, profile)
        rows = workspace.embedders(embedder).embed_queries(list(questions))
        found = []
        for question, row in zip(questions, rows, strict=True):
            query = match_query(question)
            known = [lexical.statistics(connection, profile.key, query, gram) for gram in (0, 1)]
            possible = lexical.best_possible(query, *known)
            score = lexical.search(connection, profile.key, query, limit=1).best
            cosine = float(index.search(row, 1)[1][0])
            found.append(Best(cosine, score / possible if possible else 0.0))
    return found


def tell(name: str, found: Sequence[Best]) -> None:
    cosines = np.array([each.cosine for each in found])
    shares = np.array([each.share for each in found])
    passing = "  ".join(f"{floor:.2f}: {(cosines >= floor).mean():4.0%}" for floor in FLOORS)
    matching = "  ".join(f"{share:.2f}: {(shares >= share).mean():4.0%}" for share in SHARES)
    print(f"{name:34} n={len(found):3}  cosine {passing}  |  words {matching}")


def main() -> None:
    negative = (*NEGATIVE, *MORE_NEGATIVE)
    with tempfile.TemporaryDirectory() as folder:
        for embedder in ("minilm", "instant"):
            profile = replace(Profile.preset("auto-256"), embedder=embedder)
            with Workspace.open(Path(folder) / f"{embedder}-samples") as workspace:
                workspace.index([ROOT / "sample_docs"], profile)
                for name, group in (("keyword", KEYWORD), ("paraphrase", PARAPHRASE)):
                    asked = [question for question, _ in group]
                    tell(f"{embedder} samples {name}", best(workspace, embedder, asked))
                tell(f"{embedder} samples negative", best(workspace, embedder, negative))
            if not EVALUATION.is_dir():
                continue
            with Workspace.open(Path(folder) / f"{embedder}-public") as workspace:
                with (EVALUATION / "questions.csv").open(encoding="utf-8") as file:
                    asked = [row["question"] for row in csv.DictReader(file)]
                texts = [path for path in EVALUATION.glob("*.md") if path.stem != "README"]
                workspace.index(texts, profile)
                tell(f"{embedder} public questions", best(workspace, embedder, asked))
                tell(f"{embedder} public negative", best(workspace, embedder, negative))


if __name__ == "__main__":
    main()
