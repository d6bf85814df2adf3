extension ModelFileError {
    /// What is wrong with a graph of operators. Cases carry the data for a message, not sentences.
    package enum GraphFault: Error, Sendable, Equatable {
        /// More of a quantity than is accepted.
        case tooMany(Quantity, limit: Int)
        /// The graph has no inputs or no outputs, or one of them is not a value of the graph or is listed twice.
        case ends(End, indices: [Int])
        /// The value with this name is invalid.
        case value(String, ValueFault)
        /// The operator at `index`, counted from 0 in the order of execution, is invalid.
        case node(Int, operation: String, NodeFault)
        /// An object of the graph's JSON has a field that it may not have.
        case unknownField(String)
        /// An object of the graph's JSON lacks a field.
        case missingField(String)

        /// A quantity with a limit.
        package enum Quantity: Sendable, Equatable {
            /// Values of the graph.
            case values
            /// Operators of the graph.
            case operators
            /// Elements of one value, of all values together, or of all parameters.
            case elements
            /// Multiply-adds in one run of the graph.
            case multiplyAdds
            /// UTF-8 bytes of the graph's JSON.
            case bytes
        }

        /// Inputs or outputs of a graph.
        package enum End: Sendable, Equatable {
            /// The graph's inputs.
            case inputs
            /// The graph's outputs.
            case outputs
        }

        /// What is wrong with a value.
        package enum ValueFault: Sendable, Equatable {
            /// The name is empty or is also another value's.
            case name
            /// The name is longer than is accepted.
            case nameTooLong(bytes: Int, limit: Int)
            /// The shape is not 1 to 6 positive dimensions of which the first is 1.
            case shape([Int])
            /// It is not an input of the graph, and no operator writes it.
            case neverWritten
            /// An operator writes an input of the graph, or two operators write the same value.
            case writtenTwice
            /// No operator reads it, and it is not an output of the graph.
            case neverRead
        }

        /// What is wrong with an operator.
        package enum NodeFault: Sendable, Equatable {
            /// The graph's JSON names an unknown operation.
            case unknown
            /// The operator lacks a field in the graph's JSON.
            case missingField(String)
            /// The operator has a field in the graph's JSON that its operation does not have.
            case unknownField(String)
            /// An index is not a value's.
            case valueIndex(Int)
            /// The operation takes another number of inputs.
            case inputCount(expected: Int, found: Int)
            /// It reads a value before an operator has written it.
            case notYetWritten(value: String)
            /// The operator cannot take an input of this shape.
            case inputShape([Int])
            /// The operator lacks a parameter that its operation needs.
            case missingParameter(String)
            /// A parameter has a shape that does not fit.
            case parameterShape(String, expected: [Int], found: [Int])
            /// Another operator uses the parameter in another role.
            case parameterUse(String)
            /// The number with this name, such as a stride, a padding or an axis, is out of its range.
            case number(String, Int)
            /// The inputs give a shape other than the output's.
            case outputShape(expected: [Int], found: [Int])
        }
    }
}
