/// One kind of sensor that Linux may have, and how to judge its temperature.
///
/// In names `*` stands for any number of characters, and case does not matter.
package enum SysfsThermalRule: Sendable, Equatable {
    /// The thermal zones whose `type` is `type`.
    case zone(type: String, thresholds: ThermalThresholds)
    /// The hardware monitors whose `name` is `name`. Of their temperatures those with the first of `labels` that gives
    /// a plausible one are used, or all if no label does.
    case monitor(name: String, labels: [String], thresholds: ThermalThresholds)
}

extension SysfsThermalRule {
    /// The order in which sensors are looked for: the processor's own first, because its clocks follow them.
    ///
    /// 1. `x86_pkg_temp`: the package of an Intel processor.
    /// 2. `cpu*`: clusters and cores on ARM (`cpu-thermal`, `cpu0-thermal`, `CPU-therm`, `cpuss0-thermal`).
    /// 3. `package-thermal`, `bigcore*`, `soc*thermal*`: the chip around them. Not `soc` alone, which on some phones is
    ///   the battery's state of charge.
    /// 4. `TCPU*`: an Intel processor, by its firmware.
    /// 5. The monitors `coretemp` (Intel), `k10temp` and `zenpower` (AMD). `Tctl` of some AMD processors is 10 to 27 C
    ///   above the die, for the fans; those also have a `Tdie`.
    /// 6. `*skin*`, `TSKN*`: the outside of the device, with its own thresholds.
    ///
    /// No other sensors are read: not batteries, radios, disks or ambient air; and not `acpitz`, which is a constant on
    /// some boards. A constant below 38 C would describe a device that is always cool.
    package static let standard: [SysfsThermalRule] = [
        .zone(type: "x86_pkg_temp", thresholds: .die),
        .zone(type: "cpu*", thresholds: .die),
        .zone(type: "package-thermal", thresholds: .die),
        .zone(type: "bigcore*", thresholds: .die),
        .zone(type: "soc*thermal*", thresholds: .die),
        .zone(type: "tcpu*", thresholds: .die),
        .monitor(name: "coretemp", labels: ["Package id*"], thresholds: .die),
        .monitor(name: "k10temp", labels: ["Tdie", "Tctl"], thresholds: .die),
        .monitor(name: "zenpower", labels: ["Tdie", "Tctl"], thresholds: .die),
        .zone(type: "*skin*", thresholds: .skin),
        .zone(type: "tskn*", thresholds: .skin),
    ]
}
