"""What to expect of each ranker as a picture: rho with its interval, best on top."""

import numpy as np

from irtjax.ranking.trust import LEVEL, Trust

from ._blocks import Figure
from ._draw import SERIES, finish, new_figure, style
from ._trust_sentences import best_first


def trust_figure(found: Trust, *, name: str = "expected-rho") -> Figure:
    """Return each ranker's expected rho with its interval, best on top.

    The recommended ranker's mark is filled and its name says so.

    Args:
        found: of one table.
        name: an identifier, unique on the page.

    Raises:
        ValueError: no ranker could rank any simulated table.
    """
    able = {key: each for key, each in best_first(found) if each.rho == each.rho}
    if not able:
        raise ValueError("No ranker could rank a simulated table: nothing to draw.")
    names = list(able)
    rho, lower, upper = (
        np.array([getattr(able[key], field) for key in names])
        for field in ("rho", "rho_lower", "rho_upper")
    )
    place = np.arange(len(names))
    use = np.array([key == found.verdict.ranker for key in names])
    with style():
        drawing = new_figure(5.0, 0.28 * len(names) + 0.8)
        ax = drawing.subplots()
        ax.hlines(place, lower, upper, SERIES[0])
        ax.plot(rho, place, "o", color=SERIES[0], markerfacecolor="white")
        ax.plot(rho[use], place[use], "o", color=SERIES[0])
        labels = [
            f"{key} · use this" if key == found.verdict.ranker else key for key in names
        ]
        ax.set_yticks(place, labels, fontsize=8)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x")
        ax.set_xlabel("Spearman's rho with the truth")
        return finish(
            drawing,
            name=name,
            caption=(
                f"How well each ranker finds the true order on {found.replicates:,} "
                "tables simulated like this one: the mean, and where "
                f"{LEVEL:.0%} of tables lie. 1 is the true order, 0 is none. The filled "
                "mark is the ranker to use."
            ),
            alt=" ".join(
                f"{key}: rho {able[key].rho:.3f}, from {able[key].rho_lower:.3f} to "
                f"{able[key].rho_upper:.3f}."
                for key in names
            ),
        )
