"""Measurements stored as JSON in `results`, and the pages made from them. Needs only Python 3.9 or later."""
