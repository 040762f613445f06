import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import (
    AdaptiveQuadrature,
    Estimate,
    FixedQuadrature,
    Laplace,
    MarginalMAP,
    TwoPL,
    fit,
    marginal_log_likelihood,
    posterior,
)
from irtjax.irt.marginal import enough_nodes

from ..cases import MODELS, binomial, point, table


def by_hand(responses, at):
    """One system after another, by a sum over many equally spaced abilities."""
    total, grid = 0.0, np.linspace(-8, 8, 4001)
    weight = np.exp(-0.5 * grid**2) / np.sqrt(2 * np.pi) * (grid[1] - grid[0])
    difficulty, slope = np.asarray(at.item[:, 0]), np.exp(np.asarray(at.item[:, 1]))
    logit = slope * (grid[:, None] - difficulty)
    right, wrong = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    for y, n in zip(
        np.asarray(responses.successes), np.asarray(responses.trials), strict=True
    ):
        log_like = right @ y + wrong @ (n - y)
        top = log_like.max()
        total += top + np.log(np.sum(weight * np.exp(log_like - top)))
    return total


@pytest.mark.parametrize(
    ("quadrature", "gap"),
    [
        (AdaptiveQuadrature(), 5e-6),
        (AdaptiveQuadrature(5), 1e-2),
        (FixedQuadrature(201, 8.0), 1e-8),
        (Laplace(), 0.5),
    ],
    ids=["adaptive", "five", "fixed", "laplace"],
)
@pytest.mark.parametrize("trials", [1.0, 20.0])
def test_log_likelihood_is_the_integral(quadrature, gap, trials):
    responses, at = table(TwoPL(), trials=trials), point(TwoPL())
    found = marginal_log_likelihood(TwoPL(), responses, at, quadrature=quadrature)
    assert abs(found - by_hand(responses, at)) < gap


@pytest.mark.parametrize("n_item", [5, 60, 400])
def test_the_chosen_number_of_nodes_is_enough(n_item):
    """Against many more nodes: a few units of the sixth digit of the log-likelihood."""
    rng = np.random.default_rng(4)
    responses = binomial(rng, 30, n_item, 1, share=0.6)
    at = Estimate(
        jnp.zeros((30, 1)),
        jnp.asarray(rng.normal(0, [1.5, 0.4], (n_item, 2))),
        jnp.zeros(0),
    )
    chosen, many = (
        marginal_log_likelihood(TwoPL(), responses, at, quadrature=rule)
        for rule in (AdaptiveQuadrature(), AdaptiveQuadrature(60))
    )
    assert abs(chosen / many - 1) < 1e-6
    assert enough_nodes(n_item) <= 15


def test_fixed_nodes_fail_where_posteriors_fall_between_them():
    """As `FixedQuadrature` says, and why adaptive nodes are the default."""
    rng = np.random.default_rng(4)
    responses = binomial(rng, 10, 300, 100)
    at = fit(TwoPL(), responses).value
    fixed, adaptive = (
        marginal_log_likelihood(TwoPL(), responses, at, quadrature=rule)
        for rule in (FixedQuadrature(21), AdaptiveQuadrature())
    )
    assert abs(adaptive - by_hand(responses, at)) < 1e-4
    assert abs(fixed - by_hand(responses, at)) > 10


def test_laplace_nears_the_integral_as_items_grow():
    gaps = []
    # With five items the posteriors are the prior's, which is normal, for the most part.
    for n_item in (20, 200):
        responses = binomial(np.random.default_rng(1), 20, n_item, 1)
        at = fit(TwoPL(), responses, estimator=MarginalMAP()).value
        laplace, exact = (
            marginal_log_likelihood(TwoPL(), responses, at, quadrature=rule)
            for rule in (Laplace(), AdaptiveQuadrature())
        )
        gaps.append(abs(float(laplace - exact)))
    assert gaps[1] < gaps[0] / 5


def test_settings_out_of_range_are_refused():
    with pytest.raises(ValueError, match="n_node"):
        AdaptiveQuadrature(0)
    with pytest.raises(ValueError, match="reach"):
        FixedQuadrature(21, -1.0)


def test_three_dimensions_need_laplace():
    problem = posterior(TwoPL(), table(TwoPL()))
    at = Estimate(jnp.zeros((6, 3)), jnp.zeros((5, 2)), jnp.zeros(0))
    for quadrature in (AdaptiveQuadrature(), FixedQuadrature()):
        with pytest.raises(ValueError, match="Laplace"):
            quadrature.nodes(problem, at)


def test_two_dimensions_agree():
    model = MODELS["two_dimensions"]
    responses, at = table(model), point(model)
    adaptive, fixed = (
        marginal_log_likelihood(model, responses, at, quadrature=rule)
        for rule in (AdaptiveQuadrature(21), FixedQuadrature(101, 7.0))
    )
    np.testing.assert_allclose(adaptive, fixed, atol=1e-5)
