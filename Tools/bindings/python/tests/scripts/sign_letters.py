# Letters of signs: 42 features of a hand, from the smallest x and y, go to a classifier; two hands give 84.
import cv2
import mediapipe as mp
import numpy as np

# Straight or bent index, middle, ring and little finger.
LETTERS = {"B": (1, 1, 1, 1), "S": (0, 0, 0, 0), "D": (1, 0, 0, 0), "V": (1, 1, 0, 0), "W": (1, 1, 1, 0)}


def predict(features):
    points = np.asarray(features, dtype=np.float32).reshape(-1, 21, 2)[0]
    wrist = points[0]
    reach = [np.linalg.norm(points[tip] - wrist) - np.linalg.norm(points[tip - 2] - wrist) for tip in (8, 12, 16, 20)]
    fingers = (np.array(reach) > 0).astype(int)
    return min(LETTERS, key=lambda letter: np.abs(fingers - LETTERS[letter]).sum())


mp_hands = mp.solutions.hands
mp_drawing, mp_drawing_styles = mp.solutions.drawing_utils, mp.solutions.drawing_styles
hands = mp_hands.Hands(static_image_mode=True, model_complexity=0, min_detection_confidence=0.3)
cap = cv2.VideoCapture(0)
while True:
    data_aux, x_, y_ = [], [], []
    ret, frame = cap.read()
    if not ret:
        break
    H, W, _ = frame.shape
    results = hands.process(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
    if results.multi_hand_landmarks:
        for hand_landmarks in results.multi_hand_landmarks:
            mp_drawing.draw_landmarks(
                frame, hand_landmarks, mp_hands.HAND_CONNECTIONS, mp_drawing_styles.get_default_hand_landmarks_style(),
                mp_drawing_styles.get_default_hand_connections_style())
        for hand_landmarks in results.multi_hand_landmarks:
            for i in range(len(hand_landmarks.landmark)):
                x_.append(hand_landmarks.landmark[i].x)
                y_.append(hand_landmarks.landmark[i].y)
            for i in range(len(hand_landmarks.landmark)):
                data_aux.append(hand_landmarks.landmark[i].x - min(x_))
                data_aux.append(hand_landmarks.landmark[i].y - min(y_))
        # With depths, and from a slice, as other scripts make them.
        deep = np.array([[point.x, point.y, point.z] for point in results.multi_hand_landmarks[0].landmark]).flatten()
        knuckles = [point.z for point in results.multi_hand_landmarks[-1].landmark[5:18:4]]
        x1, y1 = int(min(x_) * W) - 10, int(min(y_) * H) - 10
        letter = predict(data_aux)
        cv2.rectangle(frame, (x1, y1), (x1 + 100, y1 + 100), (0, 0, 0), 4)
        cv2.putText(frame, letter, (x1, y1 - 10), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (0, 0, 0), 3, cv2.LINE_AA)
        print("letter", len(data_aux), len(deep), len(knuckles), letter)
    print("frame")
    cv2.imshow("frame", frame)
    cv2.waitKey(1)
cap.release()
cv2.destroyAllWindows()
