# A camera, the hand landmarker in its video mode, and lines drawn with OpenCV.
import cv2
import mediapipe as mp
from mediapipe.tasks import python
from mediapipe.tasks.python import vision

options = vision.HandLandmarkerOptions(
    base_options=python.BaseOptions(model_asset_path="hand_landmarker.task"),
    running_mode=vision.RunningMode.VIDEO, num_hands=2, min_hand_detection_confidence=0.5)
lines = [(line.start, line.end) for line in vision.HandLandmarksConnections.HAND_CONNECTIONS]
camera, index = cv2.VideoCapture(0), 0
with vision.HandLandmarker.create_from_options(options) as landmarker:
    while camera.isOpened():
        there, frame = camera.read()
        if not there:
            break
        image = mp.Image(image_format=mp.ImageFormat.SRGB, data=cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        result = landmarker.detect_for_video(image, index * 100)
        index += 1
        height, width = frame.shape[:2]
        for side, hand in zip(result.handedness, result.hand_landmarks):
            points = [(int(point.x * width), int(point.y * height)) for point in hand]
            for start, end in lines:
                cv2.line(frame, points[start], points[end], (0, 255, 0), 2)
            cv2.putText(frame, side[0].category_name, points[0], cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 0))
            print("hand", side[0].category_name, round(hand[8].x, 3), round(hand[8].y, 3))
        cv2.imshow("hands", frame)
        if cv2.waitKey(1) & 0xFF == ord("q"):
            break
camera.release()
cv2.destroyAllWindows()
