import KernelInterface
import Kernels
import Testing

@Suite struct KernelRegistryTests {
    private static let tiers = KernelRegistry.available.map(\.tier)

    @Test func theBestTierThatIsLeftIsSelected() {
        for (index, tier) in Self.tiers.enumerated() {
            #expect(KernelRegistry.select(excluding: Set(Self.tiers.prefix(index))).tier == tier)
        }
        #expect(KernelRegistry.select(excluding: ["unknown"]).tier == Self.tiers.first)
    }

    @Test func thePortableTierIsAlwaysLeft() {
        #expect(Self.tiers.last == "portable" && Set(Self.tiers).isSubset(of: KernelRegistry.names))
        #expect(KernelRegistry.select(excluding: Set(KernelRegistry.names)).tier == "portable")
    }
}
