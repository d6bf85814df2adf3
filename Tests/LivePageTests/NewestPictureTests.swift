import LivePage
import PageSession
import TestSupport
import Testing
import Vocabulary

@Suite struct NewestPictureTests {
    @Test func theNewestPictureWins() throws {
        let holder = NewestPicture()
        let now = ContinuousClock().now
        #expect(holder.take() == nil)
        for time in UInt64(1)...3 { holder.put(try CameraPicture(pictureMessage(time: time)), at: now) }
        let taken = try #require(holder.take())
        #expect(taken.picture.time == .microseconds(3))
        #expect(taken.counts.received == 3 && taken.counts.superseded == 2)
        #expect(holder.take() == nil)
        holder.put(try CameraPicture(pictureMessage(time: 4)), at: now)
        #expect(holder.take()?.counts.superseded == 2)
    }
}
