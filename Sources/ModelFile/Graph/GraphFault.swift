extension ModelFileError {
    /// What is wrong with a graph of operators. Every case carries what a message needs; none is a sentence.
    public enum GraphFault: Error, Sendable, Equatable {
        /// More of something than is accepted.
        case tooMany(Quantity, limit: Int)
        /// The graph has no input or no output, or one that is not among its values or comes twice.
        case ends(End, indices: [Int])
        /// The value of a name.
        case value(String, ValueFault)
        /// The operator at `index`, counted from 0 in the order of execution.
        case node(Int, operation: String, NodeFault)
        /// An object of the graph's JSON has a field that it may not have.
        case unknownField(String)
        /// An object of the graph's JSON lacks a field.
        case missingField(String)

        /// What there can be too much of.
        public enum Quantity: Sendable, Equatable {
            /// Values of the graph.
            case values
            /// Operators of the graph.
            case operators
            /// Of one value, of all values together, or of all parameters.
            case elements
            /// In one run of the graph.
            case multiplyAdds
            /// UTF-8 bytes of the graph's JSON or of a name in it.
            case bytes
        }

        /// One of the graph's ends.
        public enum End: Sendable, Equatable {
            /// What it is given.
            case inputs
            /// What it gives.
            case outputs
        }

        /// What is wrong with a value.
        public enum ValueFault: Sendable, Equatable {
            /// The name is empty or another value's.
            case name
            /// Not 1 to 6 positive dimensions of which the first is 1.
            case shape([Int])
            /// It is no input of the graph and no operator writes it.
            case neverWritten
            /// It is an input of the graph that an operator writes, or two operators write it.
            case writtenTwice
            /// No operator reads it and it is no output of the graph.
            case neverRead
        }

        /// What is wrong with an operator.
        public enum NodeFault: Sendable, Equatable {
            /// The graph's JSON names an operation that there is not.
            case unknown
            /// A field of the operator that is missing in the graph's JSON.
            case missingField(String)
            /// A field in the graph's JSON that is not the operator's.
            case unknownField(String)
            /// An index that is no value's.
            case valueIndex(Int)
            /// Another number of inputs than the operation takes.
            case inputCount(expected: Int, found: Int)
            /// It reads a value before an operator has written it.
            case notYetWritten(value: String)
            /// An input of a shape that the operator cannot take.
            case inputShape([Int])
            /// A parameter that the operation needs and the operator does not name.
            case missingParameter(String)
            /// A parameter of a shape that does not fit.
            case parameterShape(String, expected: [Int], found: [Int])
            /// Another operator uses the parameter in another place.
            case parameterUse(String)
            /// A number outside its range, by its name: a stride, a padding, an axis.
            case number(String, Int)
            /// The inputs give another shape than the output's.
            case outputShape(expected: [Int], found: [Int])
        }
    }
}
