extension GestureEngine {
    /// The version of this package, as in CHANGELOG.md: `major.minor.patch` of Semantic Versioning.
    public static let version = "0.1.0"
}
