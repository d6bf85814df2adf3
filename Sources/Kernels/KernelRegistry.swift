package import KernelInterface
import KernelsPortable

/// The one list of tiers. The selector, the conformance tests and the kernel benchmark all read it.
package enum KernelRegistry {
    /// Every tier compiled into this build that this CPU can run, best first.
    package static let available: [KernelTable] = [PortableTier.table]

    /// The best tier not named in `excluded`. The portable tier is always left: an exclusion can only remove.
    package static func select(excluding excluded: Set<String> = []) -> KernelTable {
        available.first { !excluded.contains($0.tier) } ?? PortableTier.table
    }
}
