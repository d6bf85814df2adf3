import ModelFile

/// The positions of the stored values of a sparse tensor (`SparsityParameters` of the schema).
///
/// The levels, in some order, are the tensor's dimensions and, for dimensions cut into blocks, the positions inside a
/// block. A dense level has all its indices for each position of the level before; a compressed one (CSR) has those
/// that it lists. The values are stored in the order of the positions of the last level.
///
/// Levels may share a vector in the file. All lists together, counted as if none were shared, have at most as many
/// entries as the file has bytes, so that a small file cannot request much memory.
struct SparseLayout {
    private struct Level {
        let count: Int
        /// Elements of the dense tensor from one index to the next.
        let step: Int
        /// Nil for a dense level.
        let rows: (segments: [Int32], indices: [Int32])?
    }

    private let name: String
    private let levels: [Level]
    private let elementCount: Int

    /// - Parameter tensor: the product of its shape has been checked.
    init(_ table: FlatBuffer.Table, _ tensor: TFLiteModel.Tensor) throws(TFLiteError) {
        name = tensor.name
        let shape = tensor.shape
        let fault = TFLiteError.tensor(tensor.name, .sparsity)
        let order = try table.integers(0, Int32.self, limit: TFLiteModel.levelLimit)
        let blockMap = try table.integers(1, Int32.self, limit: TFLiteModel.levelLimit)
        let dimensions = try table.tables(2, .sparsity, limit: TFLiteModel.levelLimit)
        guard order.sorted() == Array(0..<shape.count + blockMap.count), dimensions.count == order.count,
            blockMap.allSatisfy(shape.indices.contains), Set(blockMap).count == blockMap.count
        else { throw fault }

        var sizes: [Int] = []
        for dimension in dimensions { sizes.append(try dimension.integer(1, Int32.self)) }
        var strides = [Int](repeating: 1, count: shape.count)
        for index in shape.indices.dropLast().reversed() { strides[index] = strides[index + 1] * shape[index + 1] }
        // The block size of each dimension; 1 if it is not cut.
        var blocks = [Int](repeating: 1, count: shape.count)
        for (block, dimension) in blockMap.enumerated() {
            guard let level = order.firstIndex(of: shape.count + block), sizes[level] > 0,
                shape[dimension].isMultiple(of: sizes[level])
            else { throw fault }
            blocks[dimension] = sizes[level]
        }

        var levels: [Level] = []
        var left = min(TFLiteModel.sparseEntryLimit, table.buffer.bytes.count)
        for (level, (axis, table)) in zip(order, dimensions).enumerated() {
            let isBlock = axis >= shape.count
            let dimension = isBlock ? blockMap[axis - shape.count] : axis
            let count = isBlock ? blocks[dimension] : shape[dimension] / blocks[dimension]
            let step = isBlock ? strides[dimension] : strides[dimension] * blocks[dimension]
            switch try table.integer(0, Int8.self) {
            case 0:
                guard sizes[level] == count else { throw fault }
                levels.append(Level(count: count, step: step, rows: nil))
            case 1:
                let segments = try Self.indices(table, type: 2, value: 3, left: &left)
                let indices = try Self.indices(table, type: 4, value: 5, left: &left)
                guard segments.first == 0, segments.last.map(Int.init) == indices.count,
                    indices.allSatisfy({ (0..<count).contains(Int($0)) }),
                    zip(segments, segments.dropFirst()).allSatisfy({ $0 <= $1 })
                else { throw fault }
                levels.append(Level(count: count, step: step, rows: (segments, indices)))
            default: throw fault
            }
        }
        self.levels = levels
        elementCount = shape.reduce(1, *)
    }

    /// The dense tensor's index of each stored value; no index is repeated.
    func places(count: Int) throws(TFLiteError) -> [Int32] {
        // At most `NetworkGraph.elementLimit` elements.
        var places: [Int32] = [0]
        for level in levels {
            let step = Int32(level.step)
            var next: [Int32] = []
            if let (segments, indices) = level.rows {
                guard segments.count == places.count + 1 else { throw .tensor(name, .sparsity) }
                next.reserveCapacity(indices.count)
                for (row, place) in places.enumerated() {
                    var previous: Int32 = -1
                    for index in indices[Int(segments[row])..<Int(segments[row + 1])] {
                        // Ascending in each row, so that no position is repeated.
                        guard index > previous else { throw .tensor(name, .sparsity) }
                        previous = index
                        next.append(place + index * step)
                    }
                }
            } else {
                // Positions are distinct, so there are never more than the tensor has elements.
                next.reserveCapacity(places.count * level.count)
                for place in places { for index in 0..<Int32(level.count) { next.append(place + index * step) } }
            }
            places = next
        }
        guard places.count == count else { throw .tensor(name, .sparsity) }
        return places
    }

    /// A vector that the schema stores as a union of int32, uint16 and uint8 vectors.
    /// - Parameter left: the number of entries that may still be read; those of the vector are subtracted.
    private static func indices(
        _ table: FlatBuffer.Table, type: Int, value: Int, left: inout Int
    ) throws(TFLiteError) -> [Int32] {
        guard let vector = try table.table(value, .sparsity) else {
            throw .malformed(.sparsity, offset: table.offset)
        }
        let integers: [Int]
        switch try table.integer(type, UInt8.self) {
        case 1: integers = try vector.integers(0, Int32.self, limit: left)
        case 2: integers = try vector.integers(0, UInt16.self, limit: left)
        case 3: integers = try vector.integers(0, UInt8.self, limit: left)
        default: throw .malformed(.sparsity, offset: table.offset)
        }
        left -= integers.count
        // At most 32 bits, signed or unsigned.
        return integers.map { Int32(truncatingIfNeeded: $0) }
    }
}
