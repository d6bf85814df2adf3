// An app imports only BodyPose, so the public types of these modules are part of its interface.
@_exported public import BodyTracking
@_exported public import Frames
@_exported public import ModelFile
@_exported public import Scheduling
@_exported public import Streams
@_exported public import TrackerInference
@_exported public import Tracking
@_exported public import Vocabulary
