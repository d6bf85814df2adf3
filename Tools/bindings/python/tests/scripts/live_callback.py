# The live stream mode: results come to a callback, and the newest one is drawn.
import time

import cv2
import mediapipe as mp

BaseOptions = mp.tasks.BaseOptions
HandLandmarker = mp.tasks.vision.HandLandmarker
HandLandmarkerOptions = mp.tasks.vision.HandLandmarkerOptions
HandLandmarkerResult = mp.tasks.vision.HandLandmarkerResult
VisionRunningMode = mp.tasks.vision.RunningMode
latest = None


def take(result: HandLandmarkerResult, output_image: mp.Image, timestamp_ms: int):
    global latest
    latest = result
    for hand in result.hand_landmarks:
        print("hand", timestamp_ms, round(hand[8].x, 3), round(hand[8].y, 3))


options = HandLandmarkerOptions(
    base_options=BaseOptions(model_asset_path="hand_landmarker.task"),
    running_mode=VisionRunningMode.LIVE_STREAM, num_hands=1, result_callback=take)
camera, timestamp = cv2.VideoCapture(0), 0
with HandLandmarker.create_from_options(options) as landmarker:
    while True:
        there, frame = camera.read()
        if not there:
            break
        timestamp += 100
        landmarker.detect_async(mp.Image(image_format=mp.ImageFormat.SRGB, data=frame[:, :, ::-1].copy()), timestamp)
        time.sleep(0.02)
        if latest and latest.hand_landmarks:
            for point in latest.hand_landmarks[0]:
                cv2.circle(frame, (int(point.x * frame.shape[1]), int(point.y * frame.shape[0])), 3, (0, 255, 0), -1)
        cv2.imshow("live", frame)
        if cv2.waitKey(1) & 0xFF == 27:
            break
