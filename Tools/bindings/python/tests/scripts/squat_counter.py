# Counts squats by the angle of the knee.
import cv2
import mediapipe as mp
import numpy as np

mp_pose = mp.solutions.pose
mp_drawing = mp.solutions.drawing_utils


def angle(a, b, c):
    a, b, c = np.array(a), np.array(b), np.array(c)
    radians = np.arctan2(c[1] - b[1], c[0] - b[0]) - np.arctan2(a[1] - b[1], a[0] - b[0])
    degrees = np.abs(radians * 180 / np.pi)
    return 360 - degrees if degrees > 180 else degrees


counter, stage = 0, None
cap = cv2.VideoCapture("squats.mp4")
with mp_pose.Pose(min_detection_confidence=0.5, min_tracking_confidence=0.5) as pose:
    while cap.isOpened():
        ret, frame = cap.read()
        if not ret:
            break
        results = pose.process(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        try:
            landmarks = results.pose_landmarks.landmark
            hip, knee, ankle = ([landmarks[point.value].x * frame.shape[1], landmarks[point.value].y * frame.shape[0]]
                                for point in (mp_pose.PoseLandmark.LEFT_HIP, mp_pose.PoseLandmark.LEFT_KNEE,
                                              mp_pose.PoseLandmark.LEFT_ANKLE))
            bend = angle(hip, knee, ankle)
            if bend > 160:
                stage = "up"
            if bend < 120 and stage == "up":
                stage = "down"
                counter += 1
            print("angle", int(bend), landmarks[mp_pose.PoseLandmark.LEFT_KNEE.value].visibility > 0.5)
        except:
            pass
        print("frame")
        mp_drawing.draw_landmarks(frame, results.pose_landmarks, mp_pose.POSE_CONNECTIONS)
        cv2.imshow("Squats", frame)
        if cv2.waitKey(10) & 0xFF == ord("q"):
            break
print("squats", counter)
cap.release()
