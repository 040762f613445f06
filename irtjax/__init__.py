"""irtjax: rank systems from incomplete, uneven evaluation data, and know how far to trust it."""
