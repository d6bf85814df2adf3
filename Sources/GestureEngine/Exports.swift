// An app imports GestureEngine alone, so this module exports the public types of these stages.
@_exported public import Enrolment
@_exported public import Frames
@_exported public import HandPointer
@_exported public import HandTracking
@_exported public import ModelFile
@_exported public import Network
@_exported public import Recognition
@_exported public import Scheduling
@_exported public import Streams
@_exported public import TrackerInference
@_exported public import Tracking
@_exported public import Vocabulary
