"""Training of the landmark front end's head: temporal layers on features of 21 landmarks a frame, learned from skeletons in motion."""
