# Counts the fingers that are up, with the side of the hand for the thumb.
import cv2
import mediapipe as mp

mp_hands, mp_draw = mp.solutions.hands, mp.solutions.drawing_utils
tips = [mp_hands.HandLandmark.INDEX_FINGER_TIP, mp_hands.HandLandmark.MIDDLE_FINGER_TIP,
        mp_hands.HandLandmark.RING_FINGER_TIP, mp_hands.HandLandmark.PINKY_TIP]
hands = mp_hands.Hands(model_complexity=0, min_detection_confidence=0.5, min_tracking_confidence=0.5)
cap = cv2.VideoCapture(0)
while cap.isOpened():
    success, image = cap.read()
    if not success:
        break
    image = cv2.cvtColor(cv2.flip(image, 1), cv2.COLOR_BGR2RGB)
    results = hands.process(image)
    count = 0
    if results.multi_hand_landmarks:
        for hand in results.multi_hand_landmarks:
            index = results.multi_hand_landmarks.index(hand)
            label = results.multi_handedness[index].classification[0].label
            points = [[point.x, point.y] for point in hand.landmark]
            if label == "Left" and points[4][0] > points[3][0] or label == "Right" and points[4][0] < points[3][0]:
                count += 1
            for tip in tips:
                if points[tip][1] < points[tip - 2][1]:
                    count += 1
            mp_draw.draw_landmarks(image, hand, mp_hands.HAND_CONNECTIONS, mp_draw.DrawingSpec((0, 0, 255), 2, 2))
        print("count", count)
    print("frame")
    cv2.imshow("Fingers", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    if cv2.waitKey(5) & 0xFF == 27:
        break
hands.close()
cap.release()
