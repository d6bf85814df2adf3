import BundledWeights
public import GestureEngine

extension GestureEngine.Source {
    /// The project's pixel network: 340,000 parameters in int8, 0.35 MB inside the program.
    public static let bundled = GestureEngine.Source.embedded(BundledWeights.model)
}
