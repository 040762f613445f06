"""Ways to run the loop: the whole of it, and one part left out at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from irtjax.cegar import (
    AbstractGate,
    AbstractGenerator,
    JailedBench,
    Label,
    LoopSettings,
    MaximumGate,
    RecallGate,
    SelectionGate,
    fitting_atoms,
)
from irtjax.cegar.atoms import ATOMS
from irtjax.cegar.generators import GrammarGenerator


@dataclass(frozen=True)
class Variant:
    """One way to run the loop.

    Attributes:
        says: what is different, for the report.
        settings: of the loop.
        gate: admits operators.
        texts: whether atoms that read the text alone may be used too.
        shuffled: whether truth is shuffled inside the training tasks first.
    """

    says: str
    settings: LoopSettings
    gate: AbstractGate = field(default_factory=MaximumGate)
    texts: bool = False
    shuffled: bool = False

    def generator(self) -> Callable[[JailedBench], AbstractGenerator]:
        """Return what makes the generator, once there is a bench."""
        return lambda bench: GrammarGenerator(
            bench, ATOMS if self.texts else fitting_atoms(bench.cases)
        )

    def seeded(self, seed: int) -> LoopSettings:
        """Return the loop's settings with a run's own seed."""
        return replace(self.settings, seed=seed)


FULL = "full"
_SHORT = LoopSettings(rounds=8)

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        FULL: Variant("the whole loop", _SHORT),
        "shuffled": Variant(
            "truth shuffled inside the training tasks: nothing is to be found",
            _SHORT,
            shuffled=True,
        ),
        "one_pair": Variant(
            "one right and one wrong answer in place of the whole class",
            replace(_SHORT, whole=False),
        ),
        "text_only": Variant(
            "level 0 alone: what can be read off the text",
            replace(_SHORT, first_level=0, last_level=0),
            texts=True,
        ),
        "no_escalation": Variant(
            "level 1 alone: the program's own runs, no peers",
            replace(_SHORT, last_level=1),
        ),
        "paper_gate": Variant("the published gate", _SHORT, SelectionGate()),
        "recall_gate": Variant(
            "recall on the blind spot in place of the gain", _SHORT, RecallGate()
        ),
        "free_prompting": Variant(
            "no blind spot: all answers at once", replace(_SHORT, targets=False)
        ),
    }
)
"""Variants by name."""


def shuffle_labels(
    labels: Sequence[Sequence[Label]], seed: int
) -> tuple[tuple[Label, ...], ...]:
    """Return labels with truth shuffled among the passing answers of each task.

    Args:
        labels: for each task one label a candidate.
        seed: of the run.
    """
    rng = np.random.default_rng([seed, 23])
    shuffled = []
    for known in labels:
        places = [place for place, label in enumerate(known) if label.visible]
        truth = [known[place].right for place in places]
        mixed = dict(zip(places, rng.permutation(truth), strict=True))
        shuffled.append(
            tuple(
                replace(label, right=bool(mixed[place])) if place in mixed else label
                for place, label in enumerate(known)
            )
        )
    return tuple(shuffled)
