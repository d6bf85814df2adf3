extension LandmarkFeatures {
    /// The features in column order.
    package static let layout: [Number] = {
        var list = [
            Number("presence", 0...1), Number("x", -0.1...1.1), Number("y", -0.1...1.1), Number("size", 0...0.9),
            Number("right", 0...1), Number("rollX", -1...1), Number("rollY", -1...1), Number("normalX", -1...1),
            Number("normalY", -1...1), Number("normalZ", -1...1), Number("length", 0...2.8), Number("width", 0...2.8),
            Number("tilt", -2.6...2.6), Number("slant", -2...2), Number("flat", 0...1),
        ]
        for n in 0..<TrackedHand.Points.count {
            for axis in ["X", "Y"] { list.append(Number("p\(n)\(axis)", -4.5...4.5)) }
        }
        for n in turned { for axis in ["X", "Y"] { list.append(Number("u\(n)\(axis)", -4...4)) } }
        for n in tips { list.append(Number("reach\(n)", 0...2.8)) }
        for n in tips { list.append(Number("wrist\(n)", 0...5.2)) }
        for (a, b) in gaps { list.append(Number("gap\(a)_\(b)", 0...4)) }
        for n in tips { list.append(Number("bend\(n)", -1...1)) }
        for n in tips { list.append(Number("depth\(n)", -3...3)) }
        for n in framed { for axis in ["X", "Y"] { list.append(Number("at\(n)\(axis)", -0.1...1.1)) } }
        for name in TrackedHand.Pose.Name.allCases {
            list.append(Number("pose" + name.rawValue.filter { $0 != "_" }, 0...1))
        }
        list += [
            Number("amount", 0...1), Number("moveX", 0...1), Number("moveY", 0...1), Number("wideX", 0...0.5),
            Number("wideY", 0...0.5), Number("area", 0...0.4), Number("shiftX", -0.06...0.06),
            Number("shiftY", -0.06...0.06), Number("nearby", 0...1), Number("lastX", -0.1...1.1),
            Number("lastY", -0.1...1.1), Number("age", 0...1),
        ]
        return list
    }()
}
