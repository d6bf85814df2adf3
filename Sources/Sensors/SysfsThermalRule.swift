/// One kind of sensor that Linux may have, and how to judge its temperature.
///
/// In names `*` stands for any number of characters, and the case of letters does not matter.
package enum SysfsThermalRule: Sendable, Equatable {
    /// The thermal zones whose `type` is `type`.
    case zone(type: String, thresholds: ThermalThresholds)
    /// The hardware monitors whose `name` is `name`: of their temperatures those with the first of `labels` that gives
    /// a plausible one, or all where none does.
    case monitor(name: String, labels: [String], thresholds: ThermalThresholds)
}

extension SysfsThermalRule {
    /// The order in which sensors are looked for, the processor's own first: they are where its clocks are decided.
    ///
    /// 1. `x86_pkg_temp`: the package of an Intel processor.
    /// 2. `cpu*`: clusters and cores on ARM (`cpu-thermal`, `cpu0-thermal`, `CPU-therm`, `cpuss0-thermal`).
    /// 3. `package-thermal`, `bigcore*`, `soc*thermal*`: the chip around them. Not `soc` alone, which on some phones
    ///    tells the battery's state of charge.
    /// 4. `TCPU*`: an Intel processor by its firmware.
    /// 5. The monitors `coretemp` (Intel), `k10temp` and `zenpower` (AMD). `Tctl` of some AMD processors stands 10 to
    ///    27 C above the die, for the fans; those have a `Tdie` beside it.
    /// 6. `*skin*`, `TSKN*`: the outside of the device, with its own thresholds.
    ///
    /// Nothing else is read: neither batteries, radios, disks nor the air around them; nor `acpitz`, which on some
    /// boards is a constant, and a constant below 38 C would tell of a device that is always cool.
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
