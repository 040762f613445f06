"""Rank systems from incomplete, uneven evaluation data, with honest intervals."""

from irtjax.ranking import rank as rank
