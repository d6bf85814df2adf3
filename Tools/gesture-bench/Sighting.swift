import Frames
import ToolSupport

/// Whether a clip showed what a command looks for, and the advice when it never did.
struct Sighting {
    /// What a command looks for.
    enum Subject {
        case person
        case hand

        /// Below the sizes that were found in recordings that were scaled down step by step: people down to two fifths of
        /// the height, hands down to a tenth.
        fileprivate var advice: String {
            switch self {
            case .person:
                "A person should fill at least two fifths of the picture's height, or of its width when lying, best with the "
                    + "whole body in view; come closer, or cut the picture to the person."
            case .hand:
                "A hand should fill at least a tenth of the picture's height; come closer, cut the picture to the hand, or "
                    + "use --with-body, which finds smaller hands of a person in view."
            }
        }

        fileprivate var name: String { self == .person ? "person" : "hand" }
    }

    private let subject: Subject
    private var isFound = false
    private var frames = 0
    private var dark = 0
    private var bright = 0

    init(of subject: Subject) { self.subject = subject }

    /// Takes in a frame; its light is measured until the subject was found.
    mutating func add(_ frame: borrowing PixelView, isFound found: Bool) {
        isFound = isFound || found
        frames += 1
        guard !isFound else { return }
        let luma = LumaMeasures(of: frame)
        let limits = QualityConfiguration()
        if luma.brightLevel < limits.lowLight.set { dark += 1 }
        if luma.brightShare > limits.overexposed.set { bright += 1 }
    }

    /// The sentence for a clip that ended without the subject; nil if it was found, or if there was no frame.
    var advice: String? {
        guard !isFound, frames > 0 else { return nil }
        let light =
            2 * dark > frames
            ? "The pictures are dark: make more light." : 2 * bright > frames ? "The pictures are too bright." : nil
        return [
            "no \(subject.name) was found in \(frames) frame\(frames == 1 ? "" : "s").", light, subject.advice,
            "Even light and natural colours help.",
        ].compactMap(\.self).joined(separator: " ")
    }

    /// Says it on standard error, unless the caller asked for quiet.
    func report(quiet: Bool) {
        if let advice, !quiet { Terminal.notice("gesture-bench", advice) }
    }
}
