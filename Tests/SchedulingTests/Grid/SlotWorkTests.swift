import Scheduling
import Testing

private func frame(_ slot: Int64, repeats: Int = 0, reset: Bool = false) -> SlotWork {
    var work = SlotWork(repeats: repeats, slotIndex: slot, slotTime: slot, reset: reset, frameTime: slot - 1)
    (work.arrival, work.intake) = (10 * slot, slot)
    return work
}

private func skipped(_ slot: Int64, repeats: Int = 0) -> SlotWork {
    var work = frame(slot, repeats: repeats)
    work.leaveOutFrame()
    return work
}

private func merged(_ first: SlotWork, _ others: SlotWork...) -> (work: SlotWork, superseded: Int) {
    var work = first
    let superseded = others.reduce(0) { $0 + (work.merge($1) ? 1 : 0) }
    return (work, superseded)
}

@Suite struct SlotWorkTests {
    @Test func aNewerFrameTakesThePlaceOfAWaitingOne() {
        let (work, superseded) = merged(frame(7, repeats: 2), frame(9, repeats: 1))
        #expect(superseded == 1)
        #expect((work.repeatsBefore, work.hasFrame, work.repeatsAfter) == (2 + 1 + 1, true, 0))
        #expect((work.slotTime, work.frameTime, work.arrival, work.intake) == (9, 8, 90, 9))
        #expect(work.slotCount == 5)
    }

    @Test func skippedSlotsFollowTheFrameTheyCameAfter() {
        let (work, superseded) = merged(frame(7), skipped(8), skipped(10, repeats: 1))
        #expect(superseded == 0)
        #expect((work.repeatsBefore, work.hasFrame, work.repeatsAfter) == (0, true, 3))
        #expect((work.slotTime, work.frameTime, work.arrival) == (10, 6, 70))
    }

    @Test func skippedSlotsAloneAddUp() {
        let (work, superseded) = merged(skipped(7), skipped(8), frame(9))
        #expect(superseded == 0)
        #expect((work.repeatsBefore, work.hasFrame, work.repeatsAfter) == (2, true, 0))
    }

    @Test func aResetForgetsWhatWaits() {
        let (work, superseded) = merged(frame(7, repeats: 3), skipped(8), frame(90, reset: true))
        #expect(superseded == 1)
        #expect(work == frame(90, reset: true))
    }

    /// The first frame of a stretch was superseded: the stretch begins with the next, and repeats nothing before it.
    @Test func afterAResetNothingIsRepeated() {
        let (work, superseded) = merged(frame(7, reset: true), frame(8), frame(11, repeats: 2))
        #expect(superseded == 2)
        #expect((work.reset, work.repeatsBefore, work.slotTime) == (true, 0, 11))
    }

    /// Sixteen columns of one frame are a window without information: the stretch begins anew.
    @Test func aWaitAsLongAsTheWindowStartsAnew() {
        var work = frame(0)
        for slot in 1...15 { _ = work.merge(frame(Int64(slot))) }
        #expect((work.reset, work.repeatsBefore) == (false, 15))
        _ = work.merge(frame(16))
        #expect((work.reset, work.repeatsBefore, work.slotCount) == (true, 0, 1))
    }

    @Test func slotsHaveTheirTimes() {
        let (work, _) = merged(frame(1_000_000_000, repeats: 2), skipped(1_008_333_333))
        #expect((0..<work.slotCount).map(work.isOfFrame) == [false, false, true, false])
        #expect(
            (0..<work.slotCount).map { work.time(ofSlot: $0, at: .hz120) }
                == [983_333_333, 991_666_667, 1_000_000_000, 1_008_333_333])
    }

    @Test func skippedSlotsAfterAWaitingFrameAreBounded() {
        var work = frame(0)
        for slot in 1...1000 { _ = work.merge(skipped(Int64(slot))) }
        #expect(work.repeatsAfter == 16)
        #expect(work.slotTime == 1000)
    }
}
