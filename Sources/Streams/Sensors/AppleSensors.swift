#if canImport(os)
    import Foundation
    import Scheduling

    /// The thermal state that the system gives every process, without a temperature.
    public struct ProcessThermalSensor: ThermalSensor {
        /// Makes the sensor of this process.
        public init() {}

        /// The current state.
        public func readThermal() -> DeviceSensors.ThermalReading? {
            switch ProcessInfo.processInfo.thermalState {
            case .nominal: DeviceSensors.ThermalReading(state: .nominal)
            case .fair: DeviceSensors.ThermalReading(state: .fair)
            case .serious: DeviceSensors.ThermalReading(state: .serious)
            case .critical: DeviceSensors.ThermalReading(state: .critical)
            @unknown default: nil
            }
        }
    }
#endif

#if canImport(UIKit)
    import Synchronization
    import UIKit

    /// The device's battery, which belongs to the main actor. `refresh` copies its charge for readers on other threads;
    /// call it about once a minute, or when the device posts a change of its battery.
    @available(tvOS, unavailable)
    public final class UIDeviceBatterySensor: BatterySensor {
        private let latest = Mutex<DeviceSensors.BatteryReading?>(nil)

        /// Turns battery monitoring on and takes a first reading.
        @MainActor public init() {
            UIDevice.current.isBatteryMonitoringEnabled = true
            refresh()
        }

        /// Copies the current charge. The level is -1 where the device does not know it.
        @MainActor public func refresh() {
            let (level, state) = (UIDevice.current.batteryLevel, UIDevice.current.batteryState)
            latest.withLock {
                $0 =
                    level < 0
                    ? nil
                    : DeviceSensors.BatteryReading(
                        level: Double(level), isExternallyPowered: state == .charging || state == .full)
            }
        }

        /// The charge at the latest refresh.
        public func readBattery() -> DeviceSensors.BatteryReading? {
            latest.withLock { $0 }
        }
    }
#endif
