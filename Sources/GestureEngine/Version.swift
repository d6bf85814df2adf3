extension GestureEngine {
    /// The version of this package, as CHANGELOG.md has it: `major.minor.patch` of Semantic Versioning.
    public static let version = "0.1.0"
}
