"""Clips of a rigged body that exercises, with the times of its repetitions."""
