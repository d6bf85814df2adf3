import Foundation
import Frames
import HandTracking
import ModelFile
import TestSupport
import Testing
import Tracking

/// Columns of landmarks against those that the training of the head makes of the same landmarks.
@Suite struct LandmarkFeaturesTests {
    /// 202 hands and their quantised values from `Tools/lab/training`, some not finite, some beyond every range.
    private struct Rows {
        let landmarks: [Float]
        let right: [Float]
        let aspect: [Float]
        let values: [UInt8]

        init() throws {
            let path = Fixtures.repository.appendingPathComponent("Tools/lab/training/tests/hand-features.safetensors")
                .path
            let file = try SafetensorsFile.load(path: path, limit: 1 << 20)
            landmarks = try file.floats("landmarks")
            right = try file.floats("right")
            aspect = try file.floats("aspect")
            let raw = file.rawBytes(of: try file.tensor(named: "codes"))
            values = raw.indices.map { raw[$0] }
        }

        func points(_ row: Int) -> TrackedHand.Points {
            var points = TrackedHand.Points()
            for index in 0..<TrackedHand.Points.count {
                let first = 3 * (TrackedHand.Points.count * row + index)
                points[index] = SIMD3(landmarks[first], landmarks[first + 1], landmarks[first + 2])
            }
            return points
        }

        func column(_ row: Int) -> [UInt8] {
            Array(values[LandmarkFeatures.count * row..<LandmarkFeatures.count * (row + 1)])
        }
    }

    private static func written(
        _ points: TrackedHand.Points, right: Float, aspect: Float, pose: TrackedHand.Pose? = nil
    ) -> [UInt8] {
        written { LandmarkFeatures.write(points, labelledRight: right, aspect: aspect, pose: pose, to: &$0) }
    }

    /// Poison: what is not written stays 77.
    private static func written(_ write: (inout MutableSpan<UInt8>) -> Void) -> [UInt8] {
        var values = [UInt8](repeating: 77, count: LandmarkFeatures.count)
        var output = values.mutableSpan
        write(&output)
        return values
    }

    private static var none: [UInt8] { written { LandmarkFeatures.writeNone(to: &$0) } }

    @Test func equalTheTraining() throws {
        let rows = try Rows()
        #expect(rows.right.count >= 200)
        #expect(rows.landmarks.count == 63 * rows.right.count && rows.values.count == 128 * rows.right.count)
        for row in rows.right.indices {
            let found = Self.written(rows.points(row), right: rows.right[row], aspect: rows.aspect[row])
                .prefix(LandmarkFeatures.landmarkCount)
            let expected = rows.column(row).prefix(LandmarkFeatures.landmarkCount)
            let differing = found.indices.filter { found[$0] != expected[$0] }
            let names = differing.map { LandmarkFeatures.layout[$0].name }
            #expect(found == expected, "row \(row): \(names)")
        }
        // The fixture has hands and frames without one.
        let seen = rows.right.indices.filter { rows.column($0)[0] == 255 }
        #expect(seen.count >= 100 && seen.count < rows.right.count)
    }

    @Test func layoutFitsTheColumn() {
        let names = LandmarkFeatures.layout.map(\.name)
        #expect(names.count == LandmarkFeatures.count)
        #expect(Set(names).count == names.count)
        #expect(names.first == "presence")
        #expect(names[LandmarkFeatures.landmarkCount - 1] == "at8Y")
        #expect(names[LandmarkFeatures.landmarkCount] == "poseNone")
        #expect(names[LandmarkFeatures.motionStart - 1] == "poseILoveYou")
        #expect(names[LandmarkFeatures.motionStart] == "amount" && names.last == "age")
        #expect(LandmarkFeatures.layout.allSatisfy { $0.low < $0.high })
    }

    @Test func noHandIsTheMiddleOfEveryRange() {
        let values = Self.none
        #expect(values[0] == 0)
        #expect(values[1..<LandmarkFeatures.landmarkCount].allSatisfy { $0 == 128 })
        #expect(values[LandmarkFeatures.landmarkCount..<LandmarkFeatures.motionStart].allSatisfy { $0 == 0 })
        #expect(values[LandmarkFeatures.motionStart...].allSatisfy { $0 == 77 })
    }

    @Test func posesAreScoresInTheirOrder() throws {
        let rows = try Rows()
        let pose = TrackedHand.Pose(scores: SIMD8(0, 0.1, 0.25, 0.5, 0.75, 1, 0.9, 0.002))
        let range = LandmarkFeatures.landmarkCount..<LandmarkFeatures.motionStart
        let row = try #require(rows.right.indices.first { rows.column($0)[0] == 255 })
        let values = Self.written(rows.points(row), right: 0, aspect: 1, pose: pose)
        #expect(Array(values[range]) == [0, 26, 64, 128, 191, 255, 230, 1])
        #expect(values[range.upperBound...].allSatisfy { $0 == 77 })
        #expect(Self.written(rows.points(row), right: 0, aspect: 1)[range].allSatisfy { $0 == 0 })
        let broken = TrackedHand.Points(repeating: SIMD3(repeating: .nan))
        #expect(Self.written(broken, right: 0, aspect: 1, pose: pose) == Self.none)
    }

    @Test func motionLeavesTheRest() {
        let values = Self.written { LandmarkFeatures.write(ChangeMeter.Numbers(), aspect: 4.0 / 3, to: &$0) }
        #expect(values[..<LandmarkFeatures.motionStart].allSatisfy { $0 == 77 })
        #expect(Array(values[LandmarkFeatures.motionStart...]) == [0, 128, 128, 0, 0, 0, 128, 128, 0, 128, 128, 255])
    }

    @Test(arguments: MotionFixture.names) func motionEqualsTheTraining(_ name: String) throws {
        let sequence = try MotionFixture.sequence(name)
        var motion = ChangeMeter()
        for (index, frame) in sequence.frames.enumerated() {
            let view = try PixelView(
                frame.picture.span, format: .gray8, width: sequence.width, height: sequence.height,
                bytesPerRow: sequence.width)
            let palm = frame.palm.map { ChangeMeter.Palm(x: $0.x, y: $0.y, size: $0.z) }
            motion.measure(view, orientation: .up, at: frame.time)
            motion.follow(palm, at: frame.time)
            let values = Self.written { LandmarkFeatures.write(motion.numbers, aspect: 4.0 / 3, to: &$0) }
            for (value, number) in LandmarkFeatures.layout[LandmarkFeatures.motionStart...].enumerated() {
                let found = Int(values[LandmarkFeatures.motionStart + value])
                #expect(abs(found - Int(frame.values[value])) <= 1, "frame \(index), \(number.name)")
            }
        }
    }

    /// In a picture narrower than 4:3 motion is that of the picture padded to 4:3.
    @Test(arguments: MotionFixture.names) func motionOfAnUprightPictureIsPadded(_ name: String) throws {
        let sequence = try MotionFixture.sequence(name)
        var motion = ChangeMeter()
        for frame in sequence.frames {
            let view = try PixelView(
                frame.picture.span, format: .gray8, width: sequence.width, height: sequence.height,
                bytesPerRow: sequence.width)
            motion.measure(view, orientation: .up, at: frame.time)
            motion.follow(frame.palm.map { ChangeMeter.Palm(x: $0.x, y: $0.y, size: $0.z) }, at: frame.time)
            let values = Self.written { LandmarkFeatures.write(motion.numbers, aspect: 9.0 / 16, to: &$0) }
            let (found, share) = (motion.numbers, Float(27.0 / 64))
            let change = 400 * found.amount / (1 - found.amount) * share
            let expected = [
                "amount": change / (change + 400), "moveX": 0.5 + (found.moveX - 0.5) * share, "moveY": found.moveY,
                "wideX": found.wideX * share, "wideY": found.wideY, "area": found.area * share,
                "shiftX": found.shiftX * share, "nearby": found.nearby, "lastX": 0.5 + (found.lastX - 0.5) * share,
            ]
            for (feature, value) in expected {
                let place = LandmarkFeatures.place(of: feature)
                let number = LandmarkFeatures.layout[place]
                let step = (number.high - number.low) / 255
                let inside = min(max(value, number.low), number.high)
                let written = Float(values[place]) * step + number.low
                #expect(abs(written - inside) <= 0.51 * step, "\(feature)")
            }
        }
    }

    /// The palm is the hand's place and size as the column has them.
    @Test func palmIsWhereTheColumnSays() throws {
        let rows = try Rows()
        for row in rows.right.indices {
            var palm: ChangeMeter.Palm?
            let column = Self.written {
                palm = LandmarkFeatures.write(
                    rows.points(row), labelledRight: 0, aspect: rows.aspect[row], pose: nil, to: &$0)
            }
            #expect((palm != nil) == (column[0] == 255))
            guard let palm else { continue }
            let share = min(rows.aspect[row] * 0.75, 1)
            let values = [0.5 + (palm.x - 0.5) * share, palm.y, palm.size / (palm.size + 0.1)]
            for (index, value) in values.enumerated() where value.isFinite {
                let number = LandmarkFeatures.layout[index + 1]
                let expected = min(max((value - number.low) * 255 / (number.high - number.low), 0), 255)
                #expect(abs(expected - Float(column[index + 1])) <= 0.51, "row \(row), \(number.name)")
            }
        }
    }

    @Test func landmarksThatAreNotFiniteAreNoHand() throws {
        let rows = try Rows()
        let row = try #require(rows.right.indices.first { rows.column($0)[0] == 255 })
        for value in [Float.nan, .infinity, -.infinity] {
            for index in 0..<TrackedHand.Points.count {
                for axis in 0..<3 {
                    var points = rows.points(row)
                    points[index][axis] = value
                    #expect(Self.written(points, right: 1, aspect: 1.5) == Self.none)
                }
            }
        }
    }

    /// Squares that overflow, identical points and aspects without width give quantised values and do not trap.
    @Test func extremesHaveCodes() throws {
        let rows = try Rows()
        for scale: Float in [0, .leastNonzeroMagnitude, 1e-20, 1e10, 1e30, 3e38] {
            for aspect: Float in [.leastNonzeroMagnitude, 1e-3, 1, 1e3, .infinity, .nan, 0] {
                for right: Float in [0, 1, .nan, .infinity, -.infinity] {
                    var points = rows.points(0)
                    for index in 0..<TrackedHand.Points.count {
                        points[index] = SIMD3(Float(index % 3) - 1, Float(index % 5) - 2, Float(index % 2)) * scale
                    }
                    let values = Self.written(points, right: right, aspect: aspect)
                    #expect(values == Self.none || values[0] == 255)
                }
            }
        }
    }
}
