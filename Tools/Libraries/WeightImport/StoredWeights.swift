/// Weights that a checkpoint stores as parts of which they are computed.
enum StoredWeights {
    /// The parts of `torch.nn.utils.parametrizations.weight_norm` and of the older `weight_norm`: length and direction; and
    /// those of pruning: the values and the mask.
    private static let forms: [(first: String, second: String, combine: Combination)] = [
        ("parametrizations.weight.original0", "parametrizations.weight.original1", normalised),
        ("weight_g", "weight_v", normalised),
        ("weight_mask", "weight_orig", masked),
    ]

    private typealias Combination = @Sendable (Checkpoint.Tensor, Checkpoint.Tensor) -> Checkpoint.Tensor?

    /// The tensors with `X.weight` in the place of its parts.
    static func computed(_ tensors: [String: Checkpoint.Tensor]) throws(ImportError) -> [String: Checkpoint.Tensor] {
        var result = tensors
        for name in tensors.keys.sorted() {
            for form in forms where name.hasSuffix(form.first) {
                let stem = name.dropLast(form.first.count)
                guard stem.isEmpty || stem.hasSuffix(".") || stem.hasSuffix("/"), let first = tensors[name],
                    let second = tensors[stem + form.second], result[stem + "weight"] == nil,
                    let weight = form.combine(first, second)
                else { continue }
                result[name] = nil
                result[stem + form.second] = nil
                result[stem + "weight"] = weight
            }
        }
        return result
    }

    /// Each direction of unit length times its length. The lengths are those over the dimensions in which `length` has 1.
    private static func normalised(_ length: Checkpoint.Tensor, _ direction: Checkpoint.Tensor) -> Checkpoint.Tensor? {
        guard let lengths = length.values, let values = direction.values,
            length.shape.isEmpty || length.shape.count == direction.shape.count
        else { return nil }
        let sizes = length.shape.isEmpty ? direction.shape.map { _ in 1 } : length.shape
        guard zip(sizes, direction.shape).allSatisfy({ $0 == 1 || $0 == $1 }) else { return nil }
        let rows = FloatElements.rowMajor(sizes)
        let strides = sizes.indices.map { sizes[$0] == 1 ? 0 : rows[$0] }
        let places = FloatElements.indices(shape: direction.shape, offset: 0, strides: strides)
        var squares = [Double](repeating: 0, count: lengths.count)
        for (value, place) in zip(values, places) { squares[place] += Double(value) * Double(value) }
        let result = zip(values, places).map { value, place in
            Float(Double(value) * Double(lengths[place]) / squares[place].squareRoot())
        }
        return Checkpoint.Tensor(shape: direction.shape, type: direction.type, values: result)
    }

    private static func masked(_ mask: Checkpoint.Tensor, _ weight: Checkpoint.Tensor) -> Checkpoint.Tensor? {
        guard mask.shape == weight.shape, let factors = mask.values, let values = weight.values else { return nil }
        return Checkpoint.Tensor(shape: weight.shape, type: weight.type, values: zip(factors, values).map { $0 * $1 })
    }
}
