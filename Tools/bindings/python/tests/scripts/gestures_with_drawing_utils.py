# The gesture recogniser, its points as a message, and MediaPipe's own drawing.
import cv2
import mediapipe as mp
import numpy as np
from mediapipe import solutions
from mediapipe.framework.formats import landmark_pb2

vision = mp.tasks.vision
options = vision.GestureRecognizerOptions(
    base_options=mp.tasks.BaseOptions(model_asset_path="gesture_recognizer.task"),
    running_mode=vision.RunningMode.VIDEO, num_hands=2)
camera = cv2.VideoCapture(0)
with vision.GestureRecognizer.create_from_options(options) as recognizer:
    for index in range(10 ** 6):
        there, frame = camera.read()
        if not there:
            break
        image = mp.Image(mp.ImageFormat.SRGB, cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        result = recognizer.recognize_for_video(image, index * 100)
        annotated = np.copy(image.numpy_view())
        for gestures, hand in zip(result.gestures, result.hand_landmarks):
            message = landmark_pb2.NormalizedLandmarkList()
            message.landmark.extend([
                landmark_pb2.NormalizedLandmark(x=point.x, y=point.y, z=point.z) for point in hand])
            solutions.drawing_utils.draw_landmarks(
                annotated, message, solutions.hands.HAND_CONNECTIONS,
                solutions.drawing_styles.get_default_hand_landmarks_style(),
                solutions.drawing_styles.get_default_hand_connections_style())
            print("hand", gestures[0].category_name, round(hand[8].x, 3), round(hand[8].y, 3))
        cv2.imshow("gestures", cv2.cvtColor(annotated, cv2.COLOR_RGB2BGR))
        cv2.waitKey(1)
