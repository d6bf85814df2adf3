import Foundation
import Frames
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct ChangeMeterTests {
    private typealias Numbers = ChangeMeter.Numbers

    /// Looks at pictures of so many pixels, of one byte each.
    private final class Watcher {
        private var motion = ChangeMeter()
        let width, height: Int
        let orientation: ImageOrientation

        init(_ width: Int, _ height: Int, _ orientation: ImageOrientation = .up) {
            (self.width, self.height, self.orientation) = (width, height, orientation)
        }

        func see(_ picture: [UInt8], at time: Int64, palm: ChangeMeter.Palm? = nil) throws -> Numbers {
            let view = try PixelView(
                picture.span, format: .gray8, width: width, height: height, bytesPerRow: width)
            motion.measure(view, orientation: orientation, at: time)
            motion.follow(palm, at: time)
            return motion.numbers
        }

        func reset() { motion.reset() }
    }

    /// A picture whose cells are 4 x 4 pixels: a pattern, and a square.
    private static func picture(
        block: (x: Int, y: Int)? = nil, side: Int = 32, code: Int = 180, shift: (x: Int, y: Int) = (0, 0),
        light: Int = 0, width: Int = 256, height: Int = 192
    ) -> [UInt8] {
        var codes = (0..<width * height).map { index in
            let (x, y) = (Double(index % width - shift.x), Double(index / width - shift.y))
            let wave = sin(x / 7) + sin(y / 6 + 1) + sin((x + y) / 11) + sin((x - 2 * y) / 19)
            return UInt8(100 + Int((16 * wave).rounded()) + light)
        }
        if let block {
            for y in block.y..<block.y + side {
                for x in block.x..<block.x + side { codes[y * width + x] = UInt8(code + light) }
            }
        }
        return codes
    }

    private static func list(_ n: Numbers) -> [Float] {
        [n.amount, n.moveX, n.moveY, n.wideX, n.wideY, n.area, n.shiftX, n.shiftY, n.nearby, n.lastX, n.lastY, n.age]
    }

    /// A frame of 30 a second.
    private static func time(_ frame: Int) -> Int64 { Int64(frame) * 33_333_333 }

    // MARK: Training

    @Test(arguments: MotionFixture.names) func equalsTheTraining(_ name: String) throws {
        let sequence = try MotionFixture.sequence(name)
        let watcher = Watcher(sequence.width, sequence.height)
        #expect(sequence.frames.count > 3)
        for (index, frame) in sequence.frames.enumerated() {
            let palm = frame.palm.map { ChangeMeter.Palm(x: $0.x, y: $0.y, size: $0.z) }
            let seen = try watcher.see(frame.picture, at: frame.time, palm: palm)
            for (number, expected) in zip(Self.list(seen), frame.numbers) {
                // As close as float32 allows.
                #expect(abs(number - expected) < 1e-4, "frame \(index): \(Self.list(seen)), not \(frame.numbers)")
            }
        }
    }

    // MARK: Pictures

    @Test func nothingSeen() throws {
        let watcher = Watcher(256, 192)
        #expect(ChangeMeter().numbers == Numbers())
        let first = try watcher.see(Self.picture(), at: 0)
        #expect(first == Numbers())
        #expect(Self.list(first) == [0, 0.5, 0.5, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 1])
    }

    @Test func aBlockIsSeenWhereItWasAndIs() throws {
        let watcher = Watcher(256, 192)
        _ = try watcher.see(Self.picture(block: (32, 64)), at: 0)
        let seen = try watcher.see(Self.picture(block: (96, 96)), at: Self.time(1))
        // Two blocks of an eighth by a sixth of the picture, of about 80 codes.
        #expect(abs(seen.moveX - 80 / 256) < 0.02 && abs(seen.moveY - 96 / 192) < 0.02)
        #expect(abs(seen.area - 2 * 64 / 3_072) < 0.001)
        #expect(seen.amount > 0.9 && seen.wideX > 0.1 && seen.wideX < 0.16)
        #expect(seen.shiftX == 0 && seen.shiftY == 0)
    }

    /// Light that changes evenly is no movement, and does not hide one.
    @Test func lightIsNoMovement() throws {
        let (watcher, plain) = (Watcher(256, 192), Watcher(256, 192))
        _ = try watcher.see(Self.picture(), at: 0)
        let seen = try watcher.see(Self.picture(light: 25), at: Self.time(1))
        #expect(seen.amount == 0 && seen.area == 0)
        watcher.reset()
        _ = try watcher.see(Self.picture(block: (32, 64)), at: 0)
        _ = try plain.see(Self.picture(block: (32, 64)), at: 0)
        let lit = try watcher.see(Self.picture(block: (32, 96), light: 25), at: Self.time(1))
        let dark = try plain.see(Self.picture(block: (32, 96)), at: Self.time(1))
        // Where the block was it gets darker by less.
        #expect(lit.area <= dark.area && lit.area > 0.7 * dark.area && lit.amount > 0.85)
    }

    /// The whole picture goes by whole pixels: four are a cell.
    @Test(arguments: [(4, 0), (-4, 0), (0, 4), (0, -4), (6, 3), (-5, 7), (2, -6)])
    func thePictureGoes(_ x: Int, _ y: Int) throws {
        let watcher = Watcher(256, 192)
        let still = Self.picture()
        _ = try watcher.see(still, at: 0)
        let seen = try watcher.see(Self.picture(shift: (x, y)), at: Self.time(1))
        #expect(abs(seen.shiftX * 256 - Float(x)) < 0.4 && abs(seen.shiftY * 192 - Float(y)) < 0.4, "\(seen)")
        // A block that also goes is what is left.
        _ = try watcher.see(Self.picture(block: (96, 80), side: 12, shift: (x, y)), at: Self.time(10))
        let next = Self.picture(block: (136, 80), side: 12, shift: (2 * x, 2 * y))
        let other = try watcher.see(next, at: Self.time(11))
        #expect(abs(other.shiftX * 256 - Float(x)) < 0.8 && abs(other.shiftY * 192 - Float(y)) < 0.8, "\(other)")
        // So is what comes in at the edges.
        #expect(abs(other.moveX - 122 / 256) < 0.06 && other.area < 0.06 && other.area > 0.002, "\(other)")
    }

    @Test(arguments: ImageOrientation.allCases) func orientationsAgree(_ orientation: ImageOrientation) throws {
        for (width, height) in [(256, 192), (192, 256)] {
            let scenes = (0..<3).map { frame in
                let codes = Self.picture(
                    block: (40 + 16 * frame, 60 + 8 * frame), side: 12, shift: (3 * frame, -2 * frame), width: width,
                    height: height)
                return OrientedPicture(width, height) { codes[$1 * width + $0] }
            }
            let size = scenes[0].stored(orientation).size
            let (stored, upright) = (Watcher(size.width, size.height, orientation), Watcher(width, height))
            for (frame, scene) in scenes.enumerated() {
                let palm = ChangeMeter.Palm(x: 0.3, y: 0.4, size: 0.08)
                let seen = try stored.see(scene.stored(orientation).pixels, at: Self.time(frame), palm: palm)
                let expected = try upright.see(scene.pixels, at: Self.time(frame), palm: palm)
                #expect(seen == expected)
                if frame == 2 { #expect(seen.shiftX > 0.005 && seen.shiftY < -0.005 && seen.nearby > 0) }
            }
        }
    }

    /// The same colours in every format, and only what lies in the region.
    @Test func formatsAndRegionsAgree() throws {
        let layouts = ColorFrame.Layout.allCases
        let region = PixelView.Region(x: 12, y: 10, width: 256, height: 192)
        var seen: [[Numbers]] = []
        for layout in layouts {
            var motion = ChangeMeter()
            seen.append(
                try (0..<4).map { frame in
                    let codes = Self.picture(block: (40 + 16 * frame, 60), shift: (2 * frame, frame))
                    let stored = ColorFrame(layout, .full, .bt601, 280, 210, padding: 5) { plane, x, y in
                        let step = layout == .yuyv ? 2 : layout == .rgba || layout == .bgra ? 4 : 1
                        guard plane == 0, layout != .yuyv || x % 2 == 0 else { return 128 }
                        let (column, row) = (x / step - region.x, y - region.y)
                        guard (0..<256).contains(column), (0..<192).contains(row) else {
                            // Around the region all changes.
                            return UInt8(50 * frame)
                        }
                        return codes[row * 256 + column]
                    }
                    try stored.withView(region: region) {
                        motion.measure($0, orientation: .up, at: Self.time(frame))
                        motion.follow(nil, at: Self.time(frame))
                    }
                    return motion.numbers
                })
        }
        #expect(seen.allSatisfy { $0 == seen[0] })
        let watcher = Watcher(256, 192)
        for frame in 0..<4 {
            let expected = try watcher.see(
                Self.picture(block: (40 + 16 * frame, 60), shift: (2 * frame, frame)), at: Self.time(frame))
            #expect(seen[0][frame] == expected)
        }
    }

    // MARK: Time

    /// Frames so many nanoseconds apart are compared with the frame so many before; `nil`: with none.
    @Test(
        arguments: [
            (33_333_333, 1), (16_666_667, 2), (8_333_333, 3), (24_000_000, 1), (23_999_999, 2), (12_000_000, 2),
            (3_000_000, 8), (2_999_999, nil), (400_000_000, 1),
        ] as [(Int64, Int?)])
    func comparesWithTheLatestThatIsOldEnough(_ interval: Int64, _ before: Int?) throws {
        let pictures = (0..<20).map { Self.picture(block: (2 * $0 * ($0 % 3 + 1), 5 * $0)) }
        let watcher = Watcher(256, 192)
        for frame in 0..<20 {
            let seen = try watcher.see(pictures[frame], at: 1_000 + Int64(frame) * interval)
            guard let before, frame >= before else {
                #expect(seen == Numbers(), "frame \(frame)")
                continue
            }
            let pair = Watcher(256, 192)
            _ = try pair.see(pictures[frame - before], at: 0)
            let expected = try pair.see(pictures[frame], at: 24_000_000)
            #expect(seen == expected, "frame \(frame)")
        }
    }

    @Test func repeatedPicturesChangeNothing() throws {
        let (watcher, plain) = (Watcher(256, 192), Watcher(256, 192))
        for frame in 0..<8 {
            let picture = Self.picture(block: (20 * frame, 30))
            let first = try plain.see(picture, at: Self.time(2 * frame))
            for copy in 0..<2 {
                let seen = try watcher.see(picture, at: Self.time(2 * frame + copy))
                #expect(seen == first, "frame \(frame)")
            }
        }
    }

    @Test func resetForgetsAll() throws {
        let (watcher, fresh) = (Watcher(256, 192), Watcher(256, 192))
        for frame in 0..<3 {
            let palm = ChangeMeter.Palm(x: 0.2, y: 0.3, size: 0.1)
            _ = try watcher.see(Self.picture(block: (20 * frame, 30)), at: Self.time(frame), palm: palm)
        }
        watcher.reset()
        for frame in 0..<3 {
            let picture = Self.picture(block: (100, 20 * frame))
            // Earlier than before the reset.
            let seen = try watcher.see(picture, at: Self.time(frame))
            let expected = try fresh.see(picture, at: Self.time(frame))
            #expect(seen == expected)
        }
    }

    /// A picture of another shape is compared with none; what was seen stays until there are two of it.
    @Test func anotherShape() throws {
        var motion = ChangeMeter()
        func see(_ width: Int, _ height: Int, _ frame: Int) throws -> Numbers {
            let bytes = Self.picture(block: (10 * frame, 40), width: width, height: height)
            let view = try PixelView(bytes.span, format: .gray8, width: width, height: height, bytesPerRow: width)
            motion.measure(view, orientation: .up, at: Self.time(frame))
            motion.follow(nil, at: Self.time(frame))
            return motion.numbers
        }
        _ = try see(256, 192, 0)
        let seen = try see(256, 192, 1)
        #expect(seen.amount > 0.5)
        let first = try see(192, 256, 2)
        #expect(first == seen)
        let turned = try see(192, 256, 3)
        #expect(turned != seen && turned.amount > 0.5)
        let back = try see(256, 192, 4)
        #expect(back == turned)
    }

    // MARK: Hands

    @Test func changesNearTheHand() throws {
        let watcher = Watcher(256, 192)
        func palm(_ x: Float, _ y: Float, _ size: Float = 0.06) -> ChangeMeter.Palm { .init(x: x, y: y, size: size) }
        let pictures = (0..<9).map { Self.picture(block: (20 + 24 * $0, 80)) }
        _ = try watcher.see(pictures[0], at: 0, palm: palm(0.14, 0.5))
        // The hand is there: 2.5 sizes about it.
        let there = try watcher.see(pictures[1], at: Self.time(1), palm: palm(52 / 256, 0.5, 0.1))
        #expect(there.nearby > 0.95 && there.age == 0 && there.lastX == 52 / 256 && there.lastY == 0.5)
        // Lost: near where it was, then no more.
        let lost = try watcher.see(pictures[2], at: Self.time(2))
        #expect(lost.nearby > 0.9 && lost.lastX == 52 / 256)
        let age = Float(0.033333333)
        #expect(abs(lost.age - age / (age + 0.5)) < 1e-6)
        let far = try watcher.see(pictures[7], at: Self.time(7))
        #expect(far.nearby < 0.7 && far.nearby > 0)
        let away = try watcher.see(pictures[8], at: Self.time(8))
        #expect(away.nearby == 0 && away.age > far.age)
        // A hand elsewhere: of a repeated picture, too.
        let elsewhere = try watcher.see(pictures[8], at: Self.time(9), palm: palm(0.9, 0.5))
        #expect(elsewhere.nearby > 0.5 && elsewhere.age == 0)
    }

    /// As a square: the reach along x is in heights, too.
    @Test func nearIsASquare() throws {
        let watcher = Watcher(256, 192)
        _ = try watcher.see(Self.picture(block: (0, 80)), at: 0)
        _ = try watcher.see(Self.picture(block: (224, 80)), at: Self.time(1))
        // 2.5 sizes of 0.2 heights are 96 pixels.
        for (x, isNear) in [(128, false), (140, true)] {
            let palm = ChangeMeter.Palm(x: Float(x) / 256, y: 0.5, size: 0.2)
            let seen = try watcher.see(Self.picture(block: (224, 80)), at: Self.time(2), palm: palm)
            #expect((seen.nearby > 0.01) == isNear, "\(x): \(seen.nearby)")
        }
    }

    @Test func handsThatAreNotFiniteAreNone() throws {
        for broken in [Float.nan, .infinity, -.infinity] {
            for palm in [
                ChangeMeter.Palm(x: broken, y: 0, size: 0.1), .init(x: 0, y: broken, size: 0.1),
                .init(x: 0, y: 0, size: broken),
            ] {
                let watcher = Watcher(256, 192)
                let seen = try watcher.see(Self.picture(), at: 0, palm: palm)
                #expect(seen == Numbers())
            }
        }
    }

    // MARK: Extremes

    /// All numbers lie within 0...1, shifts within their reach, whatever is shown and however time goes.
    @Test func numbersAreFinite() throws {
        var random = SplitMix64(seed: 8)
        for (width, height) in [(1, 1), (4, 4), (3, 70), (64, 48), (100, 75), (1, 300), (300, 1)] {
            let watcher = Watcher(width, height)
            for frame in 0..<60 {
                let kind = Int.random(in: 0..<5, using: &random)
                let step = UInt8.random(in: 0...255, using: &random)
                let picture = (0..<width * height).map { index in
                    switch kind {
                    case 0: UInt8(0)
                    case 1: UInt8(255)
                    case 2: UInt8.random(in: 0...255, using: &random)
                    case 3: UInt8(truncatingIfNeeded: index) &* step
                    default: (index % width / 3 + index / width / 3) % 2 == 0 ? UInt8(0) : step
                    }
                }
                let extremes: [Float] = [0, 0.5, 1, -3, 1e30, -1e30, .leastNonzeroMagnitude, .nan, .infinity]
                func extreme() -> Float { extremes[Int.random(in: 0..<extremes.count, using: &random)] }
                let palm = frame % 3 == 0 ? ChangeMeter.Palm(x: extreme(), y: extreme(), size: extreme()) : nil
                let times = [Self.time(frame), 0, .max, .min, Self.time(frame) / 7]
                let time = times[Int.random(in: 0..<times.count, using: &random)]
                let seen = try watcher.see(picture, at: frame % 10 == 9 ? time : Self.time(frame), palm: palm)
                #expect(Self.list(seen).allSatisfy { $0.isFinite }, "\(seen)")
                let shares = [
                    seen.amount, seen.moveX, seen.moveY, seen.wideX, seen.wideY, seen.area, seen.nearby, seen.age,
                ]
                #expect(shares.allSatisfy { $0 >= 0 && $0 <= 1.000_01 }, "\(seen)")
                #expect(abs(seen.shiftX) <= 4.001 / 48 && abs(seen.shiftY) <= 4.001 / 48)
            }
        }
    }

    /// Pictures without any edge, and with edges of one direction alone, say nothing of a shift.
    @Test func shiftsThatNothingTells() throws {
        let flat: [[UInt8]] = [10, 200, 90].map { [UInt8](repeating: $0, count: 256 * 192) }
        let stripes: [[UInt8]] = (0..<3).map { (frame: Int) -> [UInt8] in
            (0..<256 * 192).map { (index: Int) -> UInt8 in (index % 256 + 5 * frame) / 8 % 2 == 0 ? 0 : 200 }
        }
        for pictures in [flat, stripes] {
            let watcher = Watcher(256, 192)
            for (frame, picture) in pictures.enumerated() {
                let seen = try watcher.see(picture, at: Self.time(frame))
                #expect(seen.shiftX == 0 && seen.shiftY == 0)
            }
        }
    }
}
