"""Compares inference engines with gesture-bench on GestureTCN-340K."""
