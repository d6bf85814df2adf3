# Files of pictures: hands with their gestures, and people.
import glob

import cv2
import mediapipe as mp
from mediapipe.tasks.python import vision

hands = vision.GestureRecognizer.create_from_model_path("gesture_recognizer.task")
people = vision.PoseLandmarker.create_from_options(vision.PoseLandmarkerOptions(
    base_options=mp.tasks.BaseOptions(model_asset_path="pose_landmarker.task"), num_poses=1))
for path in sorted(glob.glob("*.png")):
    image = mp.Image.create_from_file(path)
    result = hands.recognize(image)
    for gestures, hand in zip(result.gestures, result.hand_landmarks):
        print("hand", gestures[0].category_name, round(hand[8].x, 3), round(hand[8].y, 3))
    for body in people.detect(image).pose_landmarks:
        nose = body[vision.PoseLandmark.NOSE] if hasattr(vision, "PoseLandmark") else body[0]
        print("body", path, round(nose.x, 3), round(nose.y, 3), nose.visibility > 0.5, nose.presence > 0.5)
    cv2.imshow(path, cv2.cvtColor(image.numpy_view(), cv2.COLOR_RGB2BGR))
    cv2.waitKey(0)
