"""The default generator: a grammar of small formulas, searched whole and offline."""

from collections.abc import Mapping

import numpy as np

from .._bench import AbstractBench
from .._luck import luck
from .._remaining import remaining
from .._request import AbstractGenerator, Proposal, Request
from .._vote import decidable, splits
from ..atoms import ATOMS, Atom
from ._formula import Formula, literal_flags, render
from ._search import enumerate_formulas, make_literals


class GrammarGenerator(AbstractGenerator):
    """Proposes the formulas that surely gain most on the answers the pool still keeps.

    One formula of each size, the smallest first: an operator of one atom is tried before
    one of three, and is weighed against fewer attempts. Of each size that formula is
    taken whose gain has the highest lower bound, bounds that hold for all formulas of
    the size at once: the largest gain alone would favour those that flag much and
    happened to be lucky. Literals are ranked by
    how many tasks' answers they tell apart inside the blind spot, whatever the truth.

    Attributes:
        bench: where atoms are measured on the request's panel.
        atoms: those it may use, by name.
        sizes: numbers of atoms of the formulas, in the order of trial.
        wide: literals joined in pairs.
        narrow: literals joined in triples.
        level: at which the gains' lower bounds hold for all formulas at once.
        shuffles: of the truth, for these bounds.
        least_helped: tasks in which a formula must tell answers apart.
    """

    bench: AbstractBench
    atoms: Mapping[str, Atom]
    sizes: tuple[int, ...]
    wide: int
    narrow: int
    level: float
    shuffles: int
    least_helped: int

    def __init__(
        self,
        bench: AbstractBench,
        atoms: Mapping[str, Atom] = ATOMS,
        *,
        sizes: tuple[int, ...] = (1, 2, 3),
        wide: int = 120,
        narrow: int = 20,
        level: float = 0.01,
        shuffles: int = 299,
        least_helped: int = 3,
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
        self.level = level
        self.shuffles = shuffles
        self.least_helped = least_helped

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
        spot = request.spot
        flags = literal_flags(literals, values)[:, spot]
        score = splits(flags, request.panel.task[spot])
        if not score.any():
            return []
        refused = {refusal.operator.name for refusal in request.refused}
        proposals = []
        for size in self.sizes:
            found = enumerate_formulas(
                literals, values, score, size=size, wide=self.wide, narrow=self.narrow
            )
            chosen = self._best(request, found, refused)
            if chosen is not None:
                operator = render(chosen, self.atoms)
                refused.add(operator.name)
                proposals.append(Proposal(operator, found.flags))
        return proposals

    def _best(self, request, found, refused) -> Formula | None:
        """Return the formula with the largest sure gain; of equal ones the smallest."""
        left = remaining(request.panel, request.pool)
        tasks = decidable(left.panel)
        flags = found.flags[:, left.member[tasks.member]]
        known = np.array([formula.says() in refused for formula in found.formulas])
        (new,) = np.nonzero(
            (splits(flags, tasks.of_member()) >= self.least_helped) & ~known
        )
        if not len(new):
            return None
        chances = luck(tasks, flags[new], shuffles=self.shuffles, seed=request.seed)
        best = int(np.argmax(chances.bounds(self.level)))
        return found.formulas[new[best]] if chances.gain[best] > 0 else None
