"""Rank systems from incomplete, uneven evaluation data, with honest intervals."""
