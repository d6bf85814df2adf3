"""Training of the landmark front end's head: temporal layers on features of 21 landmarks per frame, trained on moving skeletons."""
