public import CGesture
import HandPointer
import HandTracking

extension gesture_pointers {
    /// The pointers of a stream's newest frame.
    /// - Parameter isNew: whether they were made in it; false leaves the events out.
    init(_ result: HandPointer.Result, isNew: Bool) {
        self.init()
        first = gesture_pointer(result.first, isNew: isNew)
        second = gesture_pointer(result.second, isNew: isNew)
        guard let pair = result.pair else { return }
        has_pair = 1
        (distance, angle, zoom, rotation) = (pair.distance, pair.angle, pair.zoom, pair.rotation)
    }
}

extension gesture_pointer {
    fileprivate init(_ pointer: HandPointer.Pointer, isNew: Bool) {
        self.init()
        identity = Int64(pointer.identity ?? -1)
        switch pointer.handedness {
        case .left: handedness = Int32(GESTURE_HAND_LEFT)
        case .right: handedness = Int32(GESTURE_HAND_RIGHT)
        case nil: handedness = -1
        }
        let state =
            switch pointer.state {
            case .absent: GESTURE_POINTER_STATE_ABSENT
            case .hovering: GESTURE_POINTER_STATE_HOVERING
            case .pressed: GESTURE_POINTER_STATE_PRESSED
            case .dragging: GESTURE_POINTER_STATE_DRAGGING
            }
        self.state = Int32(state)
        (x, y, confidence) = (pointer.position.x, pointer.position.y, pointer.confidence)
        guard isNew else { return }
        for event in pointer.events { add(event) }
    }

    private mutating func add(_ event: HandPointer.Event) {
        let bit =
            switch event {
            case .entered: GESTURE_POINTER_ENTERED
            case .moved: GESTURE_POINTER_MOVED
            case .dragged: GESTURE_POINTER_DRAGGED
            case .pressed: GESTURE_POINTER_PRESSED
            case .released: GESTURE_POINTER_RELEASED
            case .clicked: GESTURE_POINTER_CLICKED
            case .doubleClicked: GESTURE_POINTER_DOUBLE_CLICKED
            case .scrolled: GESTURE_POINTER_SCROLLED
            case .left: GESTURE_POINTER_LEFT
            }
        events |= UInt32(bit)
        switch event {
        case .released(.opened): release_reason = Int32(GESTURE_POINTER_RELEASE_OPENED)
        case .released(.lost): release_reason = Int32(GESTURE_POINTER_RELEASE_LOST)
        case .released(.reset): release_reason = Int32(GESTURE_POINTER_RELEASE_RESET)
        case .scrolled(let way): (scroll_x, scroll_y) = (way.x, way.y)
        default: break
        }
    }
}

/// Copies the pointers of the newest frame; see `gesture.h`.
@c @implementation
public func gesture_stream_copy_pointers(
    _ stream: OpaquePointer?, _ pointers: UnsafeMutablePointer<gesture_pointers>?, _ pointers_size: Int,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try streams.object(stream)
        let target = unsafe try CallersArray(pointers, capacity: 1, size: pointers_size, "the pointers")
        target.write(object.pointers, at: 0)
    }
}
