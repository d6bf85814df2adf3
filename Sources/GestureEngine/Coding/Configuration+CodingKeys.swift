extension GestureEngine.Configuration {
    /// All but the user's gestures, which are a file of their own.
    enum CodingKeys: String, CodingKey {
        case rate, orientation, maximumHands, gesturingHand, recognition, sensitivity, heldPoses
        case pointer, scheduling, advanced
    }
}
