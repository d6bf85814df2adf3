"""What the training of both front ends shares: classes, rules of events, quantised values, files, an optimiser."""
