"""Measurements kept as JSON in `results`, and the pages made of them. Needs Python 3.9 or later and nothing else."""
