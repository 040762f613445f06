"""The same methods in careful NumPy: what the speed of ours is held against."""

import numpy as np
from jaxtyping import Float, Int


def quadrature(
    errors: Float[np.ndarray, "item source"],
    outcome: Float[np.ndarray, " item"],
    budget: int,
    noise: float = 0.3,
) -> tuple[Int[np.ndarray, " step"], Float[np.ndarray, " step"]]:
    """Return the published method's picks, and its estimate after each of them.

    In feature space, by rank-one updates: one product of matrix and vector a step.
    """
    count, sources = errors.shape
    mean = errors.mean(axis=1)
    feature = (errors - mean[:, None]) / np.sqrt(sources - 1)
    along = feature.mean(axis=0)
    shared = feature @ along
    spread = np.einsum("ij,ij->i", feature, feature)
    covariance, coefficient = np.eye(sources), np.zeros(sources)
    picks, estimates, centre = [], [], mean.mean()
    seen = np.zeros(count, bool)
    for _ in range(budget):
        gain = shared * shared / (spread + noise)
        gain[seen] = -1
        # The first of those that rounding alone tells apart, as ours takes it.
        item = int(np.argmax(gain >= gain.max() * (1 - 1e-9)))
        direction = covariance @ feature[item]
        whole = spread[item] + noise
        surprise = outcome[item] - mean[item] - feature[item] @ coefficient
        coefficient = coefficient + direction * (surprise / whole)
        column = feature @ direction
        shared = shared - column * (shared[item] / whole)
        spread = spread - column * column / whole
        covariance = covariance - np.outer(direction, direction) / whole
        seen[item] = True
        picks.append(item)
        estimates.append(centre + along @ coefficient)
    return np.array(picks), np.array(estimates)


def hybrid(
    errors: Float[np.ndarray, "item source"],
    outcome: Float[np.ndarray, " item"],
    budgets: tuple[int, ...],
    generator: np.random.Generator,
) -> list[tuple[float, float]]:
    """Return estimate and standard error of the finite population's hybrid design.

    Half systematic, half greedy, with the default variances; one plan a budget.
    """
    count, sources = errors.shape
    mean = errors.mean(axis=1)
    smooth = (sources * mean + 0.5) / (sources + 1)
    doubt = smooth * (1 - smooth)
    slope = doubt * np.log(smooth / (1 - smooth))
    shared = (errors - mean[:, None]) / np.sqrt(sources - 1)
    feature = np.column_stack([shared, np.ones(count), doubt, slope])
    precision = np.diag(1 / np.r_[np.ones(sources), 0.01, 0.1, 0.05])
    residual = 0.02 + 0.6 * doubt
    found = []
    for budget in budgets:
        first = (budget + 1) // 2
        order = np.lexsort((generator.random(count), mean))
        at = (generator.random() + np.arange(first)) * count / first
        picks = list(order[at.astype(int)])
        left = np.ones(count, bool)
        left[picks] = False
        part = feature[picks]
        covariance = np.linalg.inv(precision + part.T @ (part / residual[picks, None]))
        along = left @ feature
        spread = np.sum((feature @ covariance) * feature, axis=1)
        while len(picks) < budget:
            gain = (feature @ (covariance @ along) + residual) ** 2
            gain = np.where(left, gain / (residual + spread), -1)
            item = int(np.argmax(gain))
            picks.append(item)
            left[item] = False
            direction = covariance @ feature[item]
            whole = residual[item] + spread[item]
            along = along - feature[item]
            spread = spread - (feature @ direction) ** 2 / whole
            covariance = covariance - np.outer(direction, direction) / whole
        part, weight = feature[picks], 1 / residual[picks]
        covariance = np.linalg.inv(precision + part.T @ (part * weight[:, None]))
        surprise = outcome[picks] - mean[picks]
        coefficient = covariance @ (part.T @ (surprise * weight))
        total = outcome[picks].sum() + mean[left].sum() + along @ coefficient
        variance = along @ covariance @ along + residual[left].sum()
        found.append((total / count, np.sqrt(variance) / count))
    return found
