import Foundation

/// A folder laid out as sysfs, removed with the value.
final class SysfsTree {
    let root: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sysfs-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        root = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// A device with attributes, each written as the kernel does, with a line feed.
    @discardableResult
    func add(_ device: String, _ attributes: KeyValuePairs<String, String>) throws -> String {
        let folder = root + "/class/" + device
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, value) in attributes { try write("\(device)/\(name)", Array((value + "\n").utf8)) }
        return folder
    }

    func zone(_ number: Int, _ type: String, _ temperature: String) throws {
        try add("thermal/thermal_zone\(number)", ["type": type, "temp": temperature])
    }

    /// Replaces what lies at a path under `class`.
    func write(_ path: String, _ bytes: [UInt8]) throws {
        try remove(path)
        try Data(bytes).write(to: URL(fileURLWithPath: root + "/class/" + path))
    }

    func link(_ path: String, to target: String) throws {
        try remove(path)
        try FileManager.default.createSymbolicLink(atPath: root + "/class/" + path, withDestinationPath: target)
    }

    func directory(_ path: String) throws {
        try remove(path)
        try FileManager.default.createDirectory(atPath: root + "/class/" + path, withIntermediateDirectories: true)
    }

    func remove(_ path: String) throws {
        let path = root + "/class/" + path
        // The attributes of a link are its own, so that a dangling one is removed too.
        if (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
