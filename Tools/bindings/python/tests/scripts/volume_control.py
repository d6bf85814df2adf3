# The distance from the thumb to the index finger is a volume in per cent.
import math

import cv2
import mediapipe as mp
import numpy as np


class HandDetector:
    def __init__(self, mode=False, max_hands=1, complexity=0, detection=0.7, tracking=0.5):
        self.hands = mp.solutions.hands.Hands(mode, max_hands, complexity, detection, tracking)
        self.draw = mp.solutions.drawing_utils
        self.results = None

    def find_hands(self, image):
        self.results = self.hands.process(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
        if self.results.multi_hand_landmarks:
            for hand in self.results.multi_hand_landmarks:
                self.draw.draw_landmarks(image, hand, mp.solutions.hands.HAND_CONNECTIONS)
        return image

    def find_position(self, image, number=0):
        height, width, _ = image.shape
        if not self.results.multi_hand_landmarks:
            return []
        hand = self.results.multi_hand_landmarks[number]
        return [[index, int(point.x * width), int(point.y * height)] for index, point in enumerate(hand.landmark)]


detector = HandDetector()
capture = cv2.VideoCapture(0)
while True:
    success, image = capture.read()
    if not success:
        break
    positions = detector.find_position(detector.find_hands(image))
    if len(positions) != 0:
        x1, y1 = positions[4][1:]
        x2, y2 = positions[8][1:]
        length = math.hypot(x2 - x1, y2 - y1)
        palm = math.hypot(positions[5][1] - positions[17][1], positions[5][2] - positions[17][2])
        volume = np.interp(length / max(palm, 1), [0.3, 2.0], [0, 100])
        cv2.putText(image, f"{int(volume)} %", (40, 50), cv2.FONT_HERSHEY_COMPLEX, 1, (255, 0, 0), 3)
        print("volume", int(volume))
    print("frame")
    cv2.imshow("Volume", image)
    cv2.waitKey(1)
