"""Recipes: stages of training as a graph, run in order, skipped where nothing changed, resumed after an interruption."""
