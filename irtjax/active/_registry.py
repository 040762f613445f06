"""The one table of named ways to evaluate a system."""

from collections.abc import Mapping
from types import MappingProxyType

from ._ability_prior import FittedAbility
from ._acquisitions import ExpectedInformation
from ._automatic import Automatic
from ._designs import Systematic, SystematicThenGreedy, Uniform
from ._evaluation import AbstractEvaluation
from ._low_rank_priors import ScoreFeature
from ._model_evaluations import AdaptiveTest, Nested, Planned
from ._population import LearnedPopulation
from ._sampling_evaluations import (
    Difference,
    GeneralizedAbility,
    ImportanceSampling,
    LevelledUnbiased,
    SampleMean,
)

EVALUATIONS: Mapping[str, AbstractEvaluation] = MappingProxyType(
    {
        "auto": Automatic(),
        "active": Nested(LearnedPopulation()),
        "hybrid": Planned(LearnedPopulation(), SystematicThenGreedy()),
        "systematic": Planned(LearnedPopulation(), Systematic()),
        "proeval": Nested(ScoreFeature()),
        "random": SampleMean(Uniform()),
        "systematic_mean": SampleMean(Systematic()),
        "importance_sampling": ImportanceSampling(),
        "lure": LevelledUnbiased(),
        "difference": Difference(Uniform()),
        "difference_systematic": Difference(Systematic()),
        "p_irt": Planned(FittedAbility(), Uniform()),
        "gp_irt": GeneralizedAbility(),
        "fisher": AdaptiveTest(FittedAbility()),
        "expected_information": AdaptiveTest(FittedAbility(), ExpectedInformation()),
    }
)
"""Evaluations by name, each with its default settings."""
