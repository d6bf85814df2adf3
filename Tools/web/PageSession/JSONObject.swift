import ModelFile

/// A JSON object that is written once, member by member, without white space. Members that are nil are left out.
struct JSONObject {
    private var members = ""

    /// - Parameter kind: the first member, `kind`.
    init(_ kind: String? = nil, _ write: (inout JSONObject) -> Void) {
        put("kind", kind)
        write(&self)
    }

    var text: String { "{" + members + "}" }

    private mutating func put(_ key: String, raw value: String) {
        if !members.isEmpty { members += "," }
        members += JSONText.quoted(key)
        members += ":"
        members += value
    }

    mutating func put(_ key: String, _ value: String?) {
        if let value { put(key, raw: JSONText.quoted(value)) }
    }

    mutating func put(_ key: String, _ value: Int64?) {
        if let value { put(key, raw: value.description) }
    }

    mutating func put(_ key: String, _ value: Int?) {
        if let value { put(key, raw: value.description) }
    }

    /// - value: finite.
    mutating func put(_ key: String, _ value: Float?) {
        if let value { put(key, raw: value.description) }
    }

    mutating func put(_ key: String, _ value: Bool) { put(key, raw: value ? "true" : "false") }
    mutating func put(_ key: String, _ values: [String]) { put(key, raw: JSONText.array(values)) }

    mutating func put(_ key: String, _ values: [Int]?) {
        if let values { put(key, raw: Self.array(values)) }
    }

    mutating func put(_ key: String, _ values: [[Int]]) {
        put(key, raw: "[" + values.map(Self.array).joined(separator: ",") + "]")
    }

    mutating func put(_ key: String, _ value: JSONObject?) {
        if let value { put(key, raw: value.text) }
    }

    mutating func put(_ key: String, _ values: [JSONObject]) {
        put(key, raw: "[" + values.map { $0.text }.joined(separator: ",") + "]")
    }

    private static func array(_ values: [Int]) -> String {
        "[" + values.map { $0.description }.joined(separator: ",") + "]"
    }
}
