"""Hydra applications: sweeps, benchmarks and their reports."""
