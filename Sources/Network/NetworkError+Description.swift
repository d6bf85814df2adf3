extension NetworkError: CustomStringConvertible {
    /// One sentence for a person.
    package var description: String {
        switch self {
        case .notQuantised: "The model has float weights; only the float backend can run it."
        }
    }
}
