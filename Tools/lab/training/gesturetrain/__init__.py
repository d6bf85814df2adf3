"""Training of GestureTCN-340K on composed clips."""
