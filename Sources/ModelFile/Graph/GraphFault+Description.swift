extension ModelFileError.GraphFault: CustomStringConvertible {
    /// One sentence for users.
    package var description: String {
        switch self {
        case .tooMany(let quantity, let limit): "The graph has more than \(limit) \(quantity.words)."
        case .ends(let end, let indices):
            "The graph's \(end == .inputs ? "inputs" : "outputs") are \(indices); they must be different "
                + "indices of its values."
        case .value(let name, let fault): "The graph's value \(name.excerpt()) \(fault.clause)."
        case .node(let index, let operation, let fault):
            "Operator \(index) of the graph, \(operation), \(fault.clause)."
        case .unknownField(let field): "The graph's JSON has the unknown field \(field)."
        case .missingField(let field): "The graph's JSON lacks the field \(field)."
        }
    }
}

extension ModelFileError.GraphFault.Quantity {
    fileprivate var words: String {
        switch self {
        case .values: "values"
        case .operators: "operators"
        case .elements: "elements"
        case .multiplyAdds: "multiply-adds"
        case .bytes: "bytes of text"
        }
    }
}

extension ModelFileError.GraphFault.ValueFault {
    fileprivate var clause: String {
        switch self {
        case .name: "has an empty name or the name of another value"
        case .nameTooLong(let bytes, let limit): "has a name of \(bytes) bytes; \(limit) is the limit"
        case .shape(let shape): "cannot have the shape \(shape)"
        case .neverWritten: "is never written"
        case .writtenTwice: "is written twice"
        case .neverRead: "is never read"
        }
    }
}

extension ModelFileError.GraphFault.NodeFault {
    fileprivate var clause: String {
        switch self {
        case .unknown: "is not supported"
        case .missingField(let field): "lacks the field \(field)"
        case .unknownField(let field): "has the unknown field \(field)"
        case .valueIndex(let index): "names the value \(index), which does not exist"
        case .inputCount(let expected, let found): "has \(found) inputs instead of \(expected)"
        case .notYetWritten(let value): "reads \(value) before it is written"
        case .inputShape(let shape): "cannot take an input of the shape \(shape)"
        case .missingParameter(let name): "lacks its parameter \(name)"
        case .parameterShape(let name, let expected, let found):
            "has the parameter \(name) of the shape \(found) instead of \(expected)"
        case .parameterUse(let name): "uses the parameter \(name) for another purpose than another operator does"
        case .number(let name, let number): "cannot have \(number) for \(name)"
        case .outputShape(let expected, let found): "has an output of the shape \(found) instead of \(expected)"
        }
    }
}
