/// Why a unit cannot run a model's parameters.
package enum NetworkError: Error, Sendable, Equatable {
    /// The int8 unit was given a model without int8 weights.
    case notQuantised
}
