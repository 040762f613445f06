"""Structure in a table beyond one ability and two numbers an item, and its tests."""

from ._dif import Dif as Dif
from ._dif import dif as dif
from ._testlets import TestletSpread as TestletSpread
from ._testlets import fit_testlets as fit_testlets
from ._testlets import membership_of as membership_of
from ._variance import VarianceTest as VarianceTest
from ._variance import variance_test as variance_test
