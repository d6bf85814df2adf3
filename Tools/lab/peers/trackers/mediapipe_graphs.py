"""MediaPipe's trackers as everything here compares with them: tracking mode, both thresholds 0.5."""

import mediapipe

THRESHOLDS = {"static_image_mode": False, "min_detection_confidence": 0.5, "min_tracking_confidence": 0.5}


def hands():
    """One hand, lite networks."""
    return mediapipe.solutions.hands.Hands(max_num_hands=1, model_complexity=0, **THRESHOLDS)


def pose(smooth=True, complexity=1):
    """One person; complexity: 0 the lite network, 1 full, 2 heavy. The package carries full alone: copy the file of another,
    such as pose_landmark_lite.tflite, to its folder modules/pose_landmark.
    """
    return mediapipe.solutions.pose.Pose(model_complexity=complexity, smooth_landmarks=smooth, **THRESHOLDS)
