"""Uncertainty by fitting again: bootstraps and profiles."""

from ._bootstrap import AbstractBootstrap as AbstractBootstrap
from ._bootstrap import Refits as Refits
from ._bootstraps import ItemBootstrap as ItemBootstrap
from ._bootstraps import ParametricBootstrap as ParametricBootstrap
from ._bootstraps import SystemBootstrap as SystemBootstrap
from ._bootstraps import TrialBootstrap as TrialBootstrap
from ._profile import ProfileInterval as ProfileInterval
from ._profile import ProfileIntervals as ProfileIntervals
