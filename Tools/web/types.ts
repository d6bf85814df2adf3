// Calls of gesture.js with their types, which Tools/gates/web checks.

import {
  DrawingUtils, FilesetResolver, GestureCamera, GestureRecognizer, HandLandmarker, PoseLandmarker, type FrameReport, type GestureError,
} from "./gesture.js";

const vision = await FilesetResolver.forVisionTasks("/gesture/");
const hands = await HandLandmarker.createFromOptions(vision, { runningMode: "VIDEO", numHands: 2 });
const pen = document.createElement("canvas").getContext("2d")!, utils = new DrawingUtils(pen), video = document.createElement("video");
for (const points of hands.detectForVideo(video, performance.now()).landmarks) {
  utils.drawConnectors(points, HandLandmarker.HAND_CONNECTIONS, { color: "#0f0", lineWidth: 2 });
  utils.drawLandmarks(points, { radius: ({ from }) => DrawingUtils.lerp(from.z, -0.15, 0.1, 5, 1) });
}
const people = await PoseLandmarker.createFromOptions(vision, { runningMode: "IMAGE", numPoses: 2 });
people.detect(new Image(), (result) => result.worldLandmarks[0][0].x.toFixed(2));
const recognizer = await GestureRecognizer.createFromOptions({ runningMode: "VIDEO" });
await recognizer.setBodies("squat");
let last: FrameReport | undefined;
recognizer.onReport = (report) => {
  if (report.kind === "frame") last = report;
  if (report.kind === "failure") console.log(report.sentence);
};
const camera = await GestureCamera.create({ worker: "/worker.js", arms: true, onGesture: ({ label }) => console.log(label) });
const pointing = await GestureCamera.create({
  pointer: { region: { x: 0.1, width: 0.8 }, pressGap: 0.3 }, numHands: 2,
  onResult: ({ pointers, pointerPair }) => {
    for (const { state, x, events } of pointers ?? []) if (state !== "absent" && events.includes("clicked")) console.log(x, pointerPair?.zoom);
  },
});
pointing.stop();
await camera.start().catch((error: GestureError) => console.log(error.code));
console.log(last?.bodies?.people[0].points.length, last?.pointers[0].releaseReason);
// @ts-expect-error
hands.detect("a picture", 3);
// @ts-expect-error
await recognizer.setBodies("flying");
