# The hand landmarker and the gesture recogniser over the same frames, by the deep paths of MediaPipe 0.10.
import cv2
import mediapipe as mp
from mediapipe.tasks.python.components.processors.classifier_options import ClassifierOptions
from mediapipe.tasks.python.core.base_options import BaseOptions
from mediapipe.tasks.python.vision.core.vision_task_running_mode import VisionTaskRunningMode
from mediapipe.tasks.python.vision.gesture_recognizer import GestureRecognizer, GestureRecognizerOptions
from mediapipe.tasks.python.vision.hand_landmarker import HandLandmark, HandLandmarker, HandLandmarkerOptions

landmarker = HandLandmarker.create_from_options(HandLandmarkerOptions(
    base_options=BaseOptions(model_asset_path="hand_landmarker.task"), running_mode=VisionTaskRunningMode.VIDEO))
recognizer = GestureRecognizer.create_from_options(GestureRecognizerOptions(
    base_options=BaseOptions(model_asset_path="gesture_recognizer.task"), running_mode=VisionTaskRunningMode.VIDEO,
    canned_gesture_classifier_options=ClassifierOptions(category_denylist=["ILoveYou"])))
camera = cv2.VideoCapture(0)
time = 0
while True:
    there, frame = camera.read()
    if not there:
        break
    image = mp.Image(image_format=mp.ImageFormat.SRGB, data=cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
    hands = landmarker.detect_for_video(image, time)
    poses = recognizer.recognize_for_video(image, time)
    time += 100
    if hands.hand_landmarks and poses.gestures:
        tip = hands.hand_landmarks[0][HandLandmark.INDEX_FINGER_TIP]
        print("hand", poses.gestures[0][0].category_name, round(tip.x, 3), round(tip.y, 3))
    cv2.imshow("gestures", frame)
    if cv2.waitKey(1) == 27:
        break
landmarker.close()
recognizer.close()
camera.release()
