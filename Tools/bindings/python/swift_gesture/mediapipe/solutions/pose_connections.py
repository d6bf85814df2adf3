"""As `mediapipe.solutions.pose_connections`: the lines of a body as pairs of numbers."""
from swift_gesture.mediapipe.tasks.python.vision.pose_landmarker import PoseLandmarksConnections

POSE_CONNECTIONS = frozenset((line.start, line.end) for line in PoseLandmarksConnections.POSE_LANDMARKS)
