# A virtual mouse: the index finger moves it, a pinch clicks. Whatever fails in a frame is skipped.
import cv2
import mediapipe as mp
from google.protobuf.json_format import MessageToDict

SCREEN_WIDTH, SCREEN_HEIGHT = 1920, 1080
mp_hands = mp.solutions.hands
hands = mp_hands.Hands(static_image_mode=False, model_complexity=0, max_num_hands=2,
                       min_detection_confidence=0.5, min_tracking_confidence=0.5)
cap = cv2.VideoCapture(0)
while cap.isOpened():
    success, frame = cap.read()
    if not success:
        break
    results = hands.process(cv2.cvtColor(cv2.flip(frame, 1), cv2.COLOR_BGR2RGB))
    left = right = None
    try:
        for landmarks, handedness in zip(results.multi_hand_landmarks, results.multi_handedness):
            side = MessageToDict(handedness)["classification"][0]
            if side["label"] == "Left":
                left = landmarks
            else:
                right = landmarks
            print("side", side["index"] if "index" in side else 0, side["label"], round(side["score"], 2))
        hand = right or left
        tip, thumb = (hand.landmark[mp_hands.HandLandmark[name]] for name in ("INDEX_FINGER_TIP", "THUMB_TIP"))
        print("move", int(tip.x * SCREEN_WIDTH), int(tip.y * SCREEN_HEIGHT))
        if abs(tip.x - thumb.x) + abs(tip.y - thumb.y) < 0.06:
            print("click")
    except:
        pass
    print("frame")
    cv2.imshow("mouse", frame)
    if cv2.waitKey(1) & 0xFF == 27:
        break
cap.release()
