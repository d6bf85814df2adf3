// Gestures of an iPhone's camera: shows the preview, draws the hands, and names the gesture.
//
// Never run: no Apple system was at hand, so this was only compiled against declarations of Apple's frameworks. In Xcode
// make an iOS app of Swift 6, add the checkout of swift-gesture as a local package with the products GestureEngine,
// GestureHands and BodyPose, replace the app's sources by this folder, and give the key NSCameraUsageDescription a sentence
// in the app's Info settings.

#if canImport(AVFoundation) && canImport(UIKit)
    import AVFoundation
    import GestureEngine
    import SwiftUI

    @main
    struct GestureCameraApp: App {
        var body: some Scene {
            WindowGroup { CameraScreen() }
        }
    }

    /// The preview with hands and the gesture's name over it.
    struct CameraScreen: View {
        @State private var model = CameraModel()

        var body: some View {
            ZStack(alignment: .bottom) {
                CameraPreview(session: model.session)
                Canvas { context, size in draw(model.hands, in: &context, size) }
                Text(model.message).font(.title).padding().background(.thinMaterial, in: .capsule).padding()
            }
            .ignoresSafeArea()
            .task { await model.run() }
        }

        private func draw(_ hands: [TrackedHand], in context: inout GraphicsContext, _ size: CGSize) {
            // The preview fills the view and shows the front camera mirrored.
            let preview = ViewTransform.Preview(
                width: size.width, height: size.height, gravity: .fill, mirrored: true)
            guard
                let view = try? ViewTransform(
                    frameWidth: CameraModel.width, frameHeight: CameraModel.height, preview: preview)
            else { return }
            for hand in hands {
                var path = Path()
                for bone in TrackedHand.bones {
                    path.move(to: place(hand.landmarks[bone.start], by: view))
                    path.addLine(to: place(hand.landmarks[bone.end], by: view))
                }
                context.stroke(path, with: .color(.green), lineWidth: 3)
            }
        }

        private func place(_ landmark: SIMD3<Float>, by view: ViewTransform) -> CGPoint {
            let point = view.map(PlanePoint(landmark: landmark), from: .picture(.topLeft), to: .view)
            return CGPoint(x: point.x, y: point.y)
        }
    }

    /// The session's own preview layer.
    struct CameraPreview: UIViewRepresentable {
        final class LayerView: UIView {
            override static var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
        }

        let session: AVCaptureSession

        func makeUIView(context: Context) -> LayerView {
            let view = LayerView()
            if let layer = view.layer as? AVCaptureVideoPreviewLayer {
                layer.session = session
                layer.videoGravity = .resizeAspectFill
            }
            return view
        }

        func updateUIView(_ view: LayerView, context: Context) {}
    }
#endif
