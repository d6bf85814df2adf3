# A person, the hands and the face, each drawn with its style, and the rows of a table for a classifier.
import cv2
import mediapipe as mp
import numpy as np

mp_holistic = mp.solutions.holistic
mp_drawing = mp.solutions.drawing_utils
mp_drawing_styles = mp.solutions.drawing_styles


def extract_keypoints(results):
    pose = (np.array([[res.x, res.y, res.z, res.visibility] for res in results.pose_landmarks.landmark]).flatten()
            if results.pose_landmarks else np.zeros(33 * 4))
    left = (np.array([[res.x, res.y, res.z] for res in results.left_hand_landmarks.landmark]).flatten()
            if results.left_hand_landmarks else np.zeros(21 * 3))
    right = (np.array([[res.x, res.y, res.z] for res in results.right_hand_landmarks.landmark]).flatten()
             if results.right_hand_landmarks else np.zeros(21 * 3))
    return np.concatenate([pose, left, right])


cap = cv2.VideoCapture("squats.mp4")
with mp_holistic.Holistic(min_detection_confidence=0.5, min_tracking_confidence=0.5) as holistic:
    while cap.isOpened():
        success, image = cap.read()
        if not success:
            break
        image.flags.writeable = False
        results = holistic.process(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
        image.flags.writeable = True
        mp_drawing.draw_landmarks(
            image, results.face_landmarks, mp_holistic.FACEMESH_CONTOURS, landmark_drawing_spec=None,
            connection_drawing_spec=mp_drawing_styles.get_default_face_mesh_contours_style())
        mp_drawing.draw_landmarks(
            image, results.pose_landmarks, mp_holistic.POSE_CONNECTIONS,
            landmark_drawing_spec=mp_drawing_styles.get_default_pose_landmarks_style())
        for hand in (results.left_hand_landmarks, results.right_hand_landmarks):
            mp_drawing.draw_landmarks(image, hand, mp_holistic.HAND_CONNECTIONS)
        keypoints = extract_keypoints(results)
        if results.pose_landmarks:
            nose = results.pose_landmarks.landmark[mp_holistic.PoseLandmark.NOSE]
            print("pose", len(keypoints), round(nose.x, 3), round(nose.y, 3))
        print("frame")
        cv2.imshow("Holistic", image)
        if cv2.waitKey(5) & 0xFF == 27:
            break
cap.release()
