"""The default generator: a grammar of small formulas, searched whole and offline."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from .._bench import AbstractBench
from .._panel import Panel
from .._remaining import remaining
from .._request import AbstractGenerator, Proposal, Request
from .._vote import decidable, deltas
from ..atoms import ATOMS, Atom
from ._formula import Formula, render
from ._search import enumerate_formulas, make_literals


class GrammarGenerator(AbstractGenerator):
    """Proposes the formulas that gain most on the answers the pool still keeps.

    One formula of each size, the smallest first: an operator of one atom is tried before
    one of three, and is weighed against fewer attempts. Literals are ranked on the blind
    spot: a wrong sample flagged there is worth 1, a right one costs the spot's wrong
    over right samples, so that flagging at random is worth nothing.

    Attributes:
        bench: where atoms are measured on the request's panel.
        atoms: those it may use, by name.
        sizes: numbers of atoms of the formulas, in the order of trial.
        wide: literals joined in pairs.
        narrow: pairs and literals joined in triples.
    """

    bench: AbstractBench
    atoms: Mapping[str, Atom]
    sizes: tuple[int, ...]
    wide: int
    narrow: int

    def __init__(
        self,
        bench: AbstractBench,
        atoms: Mapping[str, Atom] = ATOMS,
        *,
        sizes: tuple[int, ...] = (1, 2, 3),
        wide: int = 250,
        narrow: int = 100,
    ):
        """Choose atoms and how far to search.

        Raises:
            ValueError: sizes outside 1 to 3, or no atom.
        """
        if not sizes or not set(sizes) <= {1, 2, 3}:
            raise ValueError(f"`sizes` must be some of 1, 2 and 3, got {sizes}.")
        if not atoms:
            raise ValueError("The grammar needs at least one atom.")
        self.bench = bench
        self.atoms = atoms
        self.sizes = sizes
        self.wide = wide
        self.narrow = narrow

    def propose(self, request: Request) -> list[Proposal]:
        names = tuple(
            name for name, atom in self.atoms.items() if atom.level <= request.level
        )
        if not names:
            return []
        values = dict(zip(names, self.bench.atoms(names), strict=True))
        literals = make_literals(values)
        if not literals:
            return []
        worth = _worth(request.panel, request.spot)
        refused = {refusal.operator.name for refusal in request.refused}
        proposals = []
        for size in self.sizes:
            found = enumerate_formulas(
                literals, values, worth, size=size, wide=self.wide, narrow=self.narrow
            )
            chosen = self._best(request, found, refused)
            if chosen is not None:
                operator = render(chosen, self.atoms)
                refused.add(operator.name)
                proposals.append(Proposal(operator, found.flags))
        return proposals

    def _best(self, request, found, refused) -> Formula | None:
        """Return the formula with the largest gain; of equal ones the smallest."""
        left = remaining(request.panel, request.pool)
        tasks = decidable(left.panel)
        flags = found.flags[:, left.member[tasks.member]]
        gains = deltas(tasks, flags, tasks.right[None])[:, 0]
        for number in np.argsort(-gains, kind="stable"):
            if gains[number] <= 0:
                return None
            if found.formulas[number].says() not in refused:
                return found.formulas[number]
        return None


def _worth(panel: Panel, spot: np.ndarray) -> Float[np.ndarray, " candidate"]:
    """Return what flagging each answer is worth, 0 outside the spot."""
    worth = np.zeros(len(panel.task))
    count, right = panel.count[spot], panel.right[spot]
    price = count[~right].sum() / max(1, count[right].sum())
    worth[spot] = np.where(right, -price, 1.0) * count
    return worth
