"""Makes a bundle for MediaPipe's HandLandmarker of the full networks in a wheel of MediaPipe: bundle.py WHEEL BUNDLE."""
import sys
import zipfile

NETWORKS = {
    "hand_detector.tflite": "mediapipe/modules/palm_detection/palm_detection_full.tflite",
    "hand_landmarks_detector.tflite": "mediapipe/modules/hand_landmark/hand_landmark_full.tflite",
}

wheel, bundle = sys.argv[1:]
with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(bundle, "w", zipfile.ZIP_STORED) as target:
    for name, path in NETWORKS.items():
        target.writestr(name, source.read(path))
