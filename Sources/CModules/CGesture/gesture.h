/*
 * swift-gesture in C: camera frames in, hands, bodies and gesture events out.
 *
 *     gesture_error error;
 *     gesture_engine *engine;
 *     gesture_stream *stream;
 *     if (gesture_engine_create(NULL, &engine, &error) != GESTURE_OK ||
 *         gesture_stream_create(engine, NULL, &stream, &error) != GESTURE_OK) {
 *         fprintf(stderr, "%s\n", error.message);
 *     }
 *     gesture_frame frame = GESTURE_FRAME_INIT;
 *     frame.format = GESTURE_FORMAT_BGR;
 *     frame.width = 640;
 *     frame.height = 480;
 *     frame.planes[0].bytes = pixels;
 *     frame.planes[0].count = 640 * 480 * 3;
 *     gesture_stream_push(stream, &frame, time_in_nanoseconds, NULL, 0, &error);
 *     gesture_event event;
 *     size_t count;
 *     while (gesture_stream_take_events(stream, &event, 1, sizeof event, &count, NULL) == GESTURE_OK && count == 1) {
 *         printf("%s %s\n", event.kind == GESTURE_EVENT_BEGIN ? "begin" : "end", event.label);
 *     }
 *
 * Errors. A function that can fail returns a status, GESTURE_OK or another. With the argument `error` it also writes a
 * sentence about the failure; NULL is allowed. On success `error` keeps its content. No argument ends the process: a
 * null pointer, a wrong size, an unknown format and a handle that was destroyed are statuses.
 *
 * Handles. A handle is made by a `create` function and released by the `destroy` function of its kind. It is a number,
 * never an address, and a number is used once: a call with a destroyed or foreign handle returns
 * GESTURE_INVALID_HANDLE. Streams and trackers keep what they need of their engine, so the order of destruction is
 * free.
 *
 * Threads. Every function may be called from any thread. Calls that use the same stream or tracker wait for each
 * other; different ones run side by side. A stream that is destroyed during a call is released at the end of that call.
 *
 * Processes. After fork() the child makes handles of its own, whatever the parent's threads were doing. A handle of the
 * parent returns GESTURE_FORKED there, in every function, and stays valid in the parent.
 *
 * Memory. The library keeps no pointer that it is given; frames and files are read before the call returns. What it
 * writes belongs to the caller. The texts of gesture_version, gesture_status_name, gesture_pose_name and
 * gesture_time_fault_text live as long as the process.
 *
 * Growth. Structs grow at their end only. An input struct begins with its size, which its INIT macro sets; fields that
 * a caller does not know have their defaults, which are always zero. Output structs are passed with `sizeof` as an
 * argument: a library that knows less writes zeros to the rest, and one that knows more writes less.
 *
 * Coordinates. The upright frame is the frame after its orientation. x goes to the right and y down, from its top left.
 * Times are nanoseconds on any clock of the caller's that does not run backward; they may be negative.
 */
#ifndef GESTURE_H
#define GESTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the INIT macros make: the size, and zero in every other field. */
#ifdef __cplusplus
#define GESTURE_SIZED(type) { sizeof(type) }
#else
#define GESTURE_SIZED(type) { .size = sizeof(type) }
#endif

/* ---- Statuses ---- */

/* The outcome of a call. */
typedef int32_t gesture_status;
enum {
    /* The call did what it says. */
    GESTURE_OK = 0,
    /* An argument is NULL where it must not be, out of range, or of an unknown value. */
    GESTURE_INVALID_ARGUMENT = 1,
    /* The handle was never made, was destroyed, or is of another kind. */
    GESTURE_INVALID_HANDLE = 2,
    /* The frame's size, stride, memory or format is not usable. */
    GESTURE_INVALID_FRAME = 3,
    /* A model file is missing, unreadable, damaged or of another network. */
    GESTURE_INVALID_MODEL = 4,
    /* The engine does not have the networks for what is asked. */
    GESTURE_NO_NETWORKS = 5,
    /* The stream is finished. gesture_stream_reset begins it anew. */
    GESTURE_FINISHED = 6,
    /* The caller's memory is too small; the count that is needed was written. */
    GESTURE_TOO_SMALL = 7,
    /* The system refused memory or another resource. */
    GESTURE_SYSTEM = 8,
    /* An input struct has a field that this library does not know, and the field is not zero. */
    GESTURE_TOO_NEW = 9,
    /* The handle was made by the process from which this one was forked. */
    GESTURE_FORKED = 10
};

/* The name of a status, such as "GESTURE_OK"; NULL for a number that is none. */
const char *gesture_status_name(gesture_status status);

/* Bytes of a message, with the zero at its end. */
#define GESTURE_MESSAGE_SIZE 1024

/* What went wrong in one call. It belongs to the caller. */
typedef struct gesture_error {
    /* The status that the call returned. */
    gesture_status status;
    /* One sentence in English, UTF-8, ended by a zero; longer ones are cut. */
    char message[GESTURE_MESSAGE_SIZE];
} gesture_error;

/* The version of the library, such as "0.1.0". */
const char *gesture_version(void);

/* ---- Engine ---- */

/* The loaded networks, from which streams and trackers are made. One engine serves any number of them. */
typedef struct gesture_engine gesture_engine;

/* The bytes of a file in the caller's memory. */
typedef struct gesture_bytes {
    /* NULL where there are none. */
    const void *bytes;
    size_t count;
} gesture_bytes;

/* What an engine sees, and so which networks it loads. */
enum {
    /* The landmarks of hands, by the hand networks. It needs frames in colour. */
    GESTURE_NETWORKS_HANDS = 0,
    /* A gray image of the whole frame, by the pixel network, which is inside the library: no file is read. It
     * recognises people that it never saw far worse. */
    GESTURE_NETWORKS_PIXELS = 1
};

/* Where an engine takes its networks from. */
typedef struct gesture_engine_options {
    /* sizeof(gesture_engine_options). */
    size_t size;
    /* GESTURE_NETWORKS_HANDS or GESTURE_NETWORKS_PIXELS. */
    int32_t networks;
    /* Hands: 1 lets streams also watch the arms by the body networks, which tell more swipes and make up fewer; a frame
     * takes longer on average. 0 leaves swipes to the hands. */
    int32_t arms;
    /* The folder with the hand networks, UTF-8. NULL is the folder "gesture-hands" beside this library. Its files
     * are palm-detection-lite, hand-landmark-lite, gesture-embedder, canned-gesture-classifier, hand-gestures and
     * hand-background, each with the ending .safetensors; the last is read when a gesture is first taught. */
    const char *hands_folder;
    /* The first five files as bytes, instead of the folder. The first, second and fifth are given together or not at
     * all; the third and fourth together, and without them hands have no pose. */
    gesture_bytes palm_detection;
    gesture_bytes hand_landmarks;
    gesture_bytes gesture_embedder;
    gesture_bytes gesture_classifier;
    gesture_bytes hand_gestures;
    /* A model file of `gesture-import`, UTF-8, instead of the project's own: of landmarks for hands, where it replaces
     * hand-gestures, and of pixels for pixels. NULL is the project's own. */
    const char *model_path;
    /* The same as bytes. */
    gesture_bytes model;
    /* The folder with the body networks, UTF-8, for body trackers and arms. NULL is the folder "gesture-bodies" beside
     * this library. Its files are pose-detection and pose-landmark-full, each with the ending .safetensors. They are
     * read when they are first needed. */
    const char *bodies_folder;
    /* hand-background as bytes, where the others are; without it nothing tests how often a taught movement is made up. */
    gesture_bytes hand_background;
} gesture_engine_options;

#define GESTURE_ENGINE_OPTIONS_INIT GESTURE_SIZED(gesture_engine_options)

/* Loads and checks the networks. It takes some milliseconds.
 * - options: NULL for the defaults.
 * - engine: receives the handle; on failure NULL. */
gesture_status gesture_engine_create(
    const gesture_engine_options *options, gesture_engine **engine, gesture_error *error);

/* Releases an engine. Streams and trackers made from it live on. */
gesture_status gesture_engine_destroy(gesture_engine *engine, gesture_error *error);

/* ---- Options of streams, hand trackers and still images ---- */

/* How a frame is stored, by the eight values of EXIF. */
enum {
    /* Stored upright; 0 means the same. */
    GESTURE_ORIENTATION_UP = 1,
    GESTURE_ORIENTATION_UP_MIRRORED = 2,
    GESTURE_ORIENTATION_DOWN = 3,
    GESTURE_ORIENTATION_DOWN_MIRRORED = 4,
    GESTURE_ORIENTATION_LEFT_MIRRORED = 5,
    /* To be turned by 90 degrees clockwise. */
    GESTURE_ORIENTATION_RIGHT = 6,
    GESTURE_ORIENTATION_RIGHT_MIRRORED = 7,
    /* To be turned by 90 degrees counterclockwise. */
    GESTURE_ORIENTATION_LEFT = 8
};

/* The least probability from which one class begins. */
typedef struct gesture_threshold {
    /* The class, UTF-8. */
    const char *label;
    /* 0 or more, below 1. */
    float confidence;
    /* Zero. */
    int32_t reserved;
} gesture_threshold;

/* Gestures of the user's own, which were taught; see "Teaching" below. */
typedef struct gesture_user_gestures gesture_user_gestures;

/* How readily gestures begin. */
enum {
    GESTURE_SENSITIVITY_LOW = -1,
    GESTURE_SENSITIVITY_MEDIUM = 0,
    GESTURE_SENSITIVITY_HIGH = 1
};

/* Whether hands are pointers. */
enum {
    GESTURE_POINTER_NONE = 0,
    /* Left and right are exchanged: for a camera that faces the user and whose frames are not mirrored. */
    GESTURE_POINTER_MIRRORED = 1,
    GESTURE_POINTER_UNMIRRORED = 2
};

/* Everything about a stream, a hand tracker or a still image. Zero means the default of each field. */
typedef struct gesture_options {
    /* sizeof(gesture_options). */
    size_t size;
    /* Streams: the camera's nominal frames per second, 30, 60 or 120; 0 means 30. Slower frames are laid on this
     * grid. */
    int32_t rate;
    /* How the frames are stored, GESTURE_ORIENTATION_UP to _LEFT; 0 means upright. */
    int32_t orientation;
    /* Hands that are tracked at once, 1 to 4; 0 means 1. */
    int32_t maximum_hands;
    /* Palms with a lower score are ignored, 0.01 to 0.99; 0 means 0.5. */
    float minimum_palm_score;
    /* A hand whose presence is not above this is lost, 0.01 to 0.99; 0 means 0.5. */
    float minimum_presence;
    /* Streams: 1 adds the gestures fist, victory and iLoveYou, which are poses that a hand holds; 0 has none. */
    int32_t held_poses;
    /* Hand trackers and streams: 1 smooths the landmarks, which looks calmer when drawn; 0 leaves them as they are. */
    int32_t is_smoothed;
    /* Hand trackers: 1 looks for hands in every frame in which fewer than maximum_hands are tracked, as MediaPipe
     * does; 0 looks ten times a second and less often in still scenes. */
    int32_t detects_in_every_frame;
    /* Streams: how readily gestures begin, GESTURE_SENSITIVITY_...: low makes up fewer and misses more, high misses
     * fewer and makes up more. */
    int32_t sensitivity;
    /* Streams: 1 adds the gesture pinch, for which the tips of thumb and index finger touch; 0 has none. */
    int32_t pinch;
    /* Streams: gestures begin above this probability, 0 or more, below 1, whatever the model's file and `sensitivity`
     * say; 0 leaves it to these. */
    float begin_confidence;
    /* Streams: the pose that has to be held before gestures count, an index of gesture_pose_name; 0 has none, so that
     * they always count. */
    int32_t wake_pose;
    /* Streams: how long the wake pose is held, 0.1 to 10 seconds, and how long gestures count afterwards, 1 to 3600
     * seconds, in nanoseconds; 0 means half a second, and 8 seconds. Each gesture that is reported begins the window anew. */
    int64_t wake_hold, wake_window;
    /* Streams: the only classes that may begin, by their labels, UTF-8; NULL with 0 allows all. */
    const char *const *allowed_classes;
    size_t allowed_class_count;
    /* Streams: classes that may not begin, even if they are allowed. */
    const char *const *denied_classes;
    size_t denied_class_count;
    /* Streams: thresholds of single classes, which go before `begin_confidence`. */
    const gesture_threshold *thresholds;
    size_t threshold_count;
    /* Streams: gestures of the user's own, of the same model; their labels come after the model's. The stream has those
     * of the time when it is made. NULL has none. */
    gesture_user_gestures *user_gestures;
    /* Streams: GESTURE_POINTER_MIRRORED or _UNMIRRORED follows up to two hands as pointers; see
     * gesture_stream_copy_pointers. GESTURE_POINTER_NONE does not. */
    int32_t pointer;
    /* Streams: the part of the upright frame in which the palm moves, in shares of its width and height from its top left. It
     * maps to the whole screen. All zero means 0.2, 0.2, 0.6, 0.6. */
    float pointer_x, pointer_y, pointer_width, pointer_height;
    /* Zero. */
    int32_t pointer_reserved;
} gesture_options;

#define GESTURE_OPTIONS_INIT GESTURE_SIZED(gesture_options)

/* ---- Frames ---- */

/* How pixels are stored, 8 bits a sample. Luma of the video range has black at 16 and white at 235. */
enum {
    /* One plane of full-range luma. Without colour a hand is seldom found. */
    GESTURE_FORMAT_GRAY = 1,
    /* Luma, and a half-size plane of Cb Cr in turn; video range. */
    GESTURE_FORMAT_NV12 = 2,
    GESTURE_FORMAT_NV12_FULL = 3,
    /* Luma, and a half-size plane of Cr Cb in turn. */
    GESTURE_FORMAT_NV21 = 4,
    GESTURE_FORMAT_NV21_FULL = 5,
    /* Luma, a half-size plane of Cb and one of Cr. */
    GESTURE_FORMAT_I420 = 6,
    GESTURE_FORMAT_I420_FULL = 7,
    /* One plane of Y0 U Y1 V. */
    GESTURE_FORMAT_YUYV = 8,
    GESTURE_FORMAT_YUYV_FULL = 9,
    /* One plane of U Y0 V Y1. */
    GESTURE_FORMAT_UYVY = 10,
    GESTURE_FORMAT_UYVY_FULL = 11,
    /* One plane of 3 bytes a pixel, copied once. */
    GESTURE_FORMAT_RGB = 12,
    GESTURE_FORMAT_BGR = 13,
    /* One plane of 4 bytes a pixel, of which the last one, alpha or padding, is ignored. */
    GESTURE_FORMAT_RGBA = 14,
    GESTURE_FORMAT_BGRA = 15
};

/* How luma and chroma become colours. */
enum {
    /* ITU-R BT.601, as OpenCV reads every video; 0 means the same. */
    GESTURE_MATRIX_BT601 = 0,
    GESTURE_MATRIX_BT709 = 1
};

/* One plane of a frame. */
typedef struct gesture_plane {
    const void *bytes;
    /* Bytes from `bytes` on that may be read. */
    size_t count;
    /* Bytes from one row to the next; 0 means rows without padding. */
    size_t bytes_per_row;
} gesture_plane;

/* One frame in the caller's memory. */
typedef struct gesture_frame {
    /* sizeof(gesture_frame). */
    size_t size;
    /* A GESTURE_FORMAT. */
    int32_t format;
    /* Pixels of a stored row, 1 to 16384; may be odd. */
    int32_t width;
    /* Stored rows, 1 to 16384. */
    int32_t height;
    /* GESTURE_MATRIX_BT601 or GESTURE_MATRIX_BT709; ignored for formats that store colours. */
    int32_t matrix;
    /* The planes in the order of the format; the others are ignored. NV12, NV21 and I420 may leave out their chroma:
     * then the frame is gray. Both planes of I420's chroma have the same bytes_per_row. */
    gesture_plane planes[3];
    /* The part that is examined, in pixels of the stored frame from its top left. All zero means the whole frame. */
    int32_t region_x, region_y, region_width, region_height;
} gesture_frame;

#define GESTURE_FRAME_INIT GESTURE_SIZED(gesture_frame)

/* ---- Hands ---- */

/* Points of a hand, in MediaPipe's order: the wrist, then four from the palm to the tip of the thumb, index, middle,
 * ring and little finger. */
#define GESTURE_POINT_COUNT 21
/* Poses that have a score; see gesture_pose_name. */
#define GESTURE_POSE_COUNT 8
/* Values of a hand's embedding. */
#define GESTURE_EMBEDDING_COUNT 128

/* A side of the body, if the upright frame is not mirrored. */
enum { GESTURE_HAND_LEFT = 0, GESTURE_HAND_RIGHT = 1 };

typedef struct gesture_point {
    float x, y, z;
} gesture_point;

/* A hand in a frame. */
typedef struct gesture_hand {
    /* The same from frame to frame while the hand is tracked, from 0; in a still image the hand's index. */
    int64_t identity;
    /* GESTURE_HAND_LEFT or GESTURE_HAND_RIGHT; in a mirrored frame they are exchanged. */
    int32_t handedness;
    /* The index of the highest score of `pose_scores`; -1 without pose networks. */
    int32_t pose;
    /* The network's confidence that this is a hand, 0 to 1. */
    float presence;
    /* How likely it is a right hand, 0 to 1. */
    float right_handedness;
    /* x and y in shares of the upright frame's width and height; z is the distance from the wrist, away from the
     * camera, in shares of the width. */
    gesture_point landmarks[GESTURE_POINT_COUNT];
    /* In metres from the hand's middle: x to the right, y down, z away from the camera. */
    gesture_point world_landmarks[GESTURE_POINT_COUNT];
    /* By the index of gesture_pose_name, 0 to 1, with the sum 1; all zero without pose networks. */
    float pose_scores[GESTURE_POSE_COUNT];
    /* What `pose_scores` is computed from, by the gesture embedder of MediaPipe, for classifiers of one's own: each 0 or
     * more; all zero without pose networks. */
    float embedding[GESTURE_EMBEDDING_COUNT];
} gesture_hand;

/* MediaPipe's name of a pose, 0 to GESTURE_POSE_COUNT - 1: None, Closed_Fist, Open_Palm, Pointing_Up, Thumb_Down,
 * Thumb_Up, Victory, ILoveYou. NULL for another index. */
const char *gesture_pose_name(int32_t index);

/* Finds the hands of one still image with their poses. An engine keeps one tracker for its stills, so calls with one
 * engine wait for each other.
 * - options: NULL for the defaults.
 * - hands: room for `capacity` hands of `hand_size` = sizeof(gesture_hand) bytes each; may be NULL if capacity is 0.
 * - count: receives the number of hands; 4 at most. With too little room GESTURE_TOO_SMALL is returned and no hand
 *   is written. */
gesture_status gesture_engine_recognize_hands(
    gesture_engine *engine, const gesture_frame *frame, const gesture_options *options, gesture_hand *hands,
    size_t capacity, size_t hand_size, size_t *count, gesture_error *error);

/* ---- Hand trackers ---- */

/* Hands of a video without gestures: the same hand keeps its identity. */
typedef struct gesture_hand_tracker gesture_hand_tracker;

/* Makes a hand tracker.
 * - options: NULL for the defaults.
 * - tracker: receives the handle; on failure NULL. */
gesture_status gesture_hand_tracker_create(
    gesture_engine *engine, const gesture_options *options, gesture_hand_tracker **tracker, gesture_error *error);

/* Takes the next frame. The hands are then those of this frame.
 * - time: when it was taken, nanoseconds. */
gesture_status gesture_hand_tracker_track(
    gesture_hand_tracker *tracker, const gesture_frame *frame, int64_t time, gesture_error *error);

/* Copies the hands of the latest frame, those tracked longest first; the arguments are those of
 * gesture_engine_recognize_hands. */
gesture_status gesture_hand_tracker_copy_hands(
    gesture_hand_tracker *tracker, gesture_hand *hands, size_t capacity, size_t hand_size, size_t *count,
    gesture_error *error);

/* Forgets all hands. */
gesture_status gesture_hand_tracker_reset(gesture_hand_tracker *tracker, gesture_error *error);

/* Releases a hand tracker. */
gesture_status gesture_hand_tracker_destroy(gesture_hand_tracker *tracker, gesture_error *error);

/* ---- Bodies ---- */

/* Points of a body, in MediaPipe's order: the nose, the eyes, the ears and the mouth, then from the shoulders to the
 * feet, the left one before the right one. */
#define GESTURE_BODY_POINT_COUNT 33

/* A person in a frame. */
typedef struct gesture_body {
    /* The same from frame to frame while the body is followed, from 0; in a still image the body's index. */
    int64_t identity;
    /* 1 if the latest frame does not show the body, which was seen within the last second: all values are those seen
     * last. 0 if the frame shows it. */
    int32_t is_held;
    /* The network's confidence that there is a body, 0 to 1. */
    float presence;
    /* x and y in shares of the upright frame's width and height; z is the distance from the hips' middle, away from the
     * camera, in shares of the width. */
    gesture_point landmarks[GESTURE_BODY_POINT_COUNT];
    /* In metres from the hips' middle: x to the right, y down, z away from the camera. */
    gesture_point world_landmarks[GESTURE_BODY_POINT_COUNT];
    /* How likely each point is within the frame and not hidden, 0 to 1. */
    float visibility[GESTURE_BODY_POINT_COUNT];
    /* How likely each point is within the frame, hidden or not, 0 to 1. */
    float point_presence[GESTURE_BODY_POINT_COUNT];
} gesture_body;

/* Everything about a body tracker or the bodies of a still image. Zero means the default of each field. */
typedef struct gesture_body_options {
    /* sizeof(gesture_body_options). */
    size_t size;
    /* How the frames are stored, GESTURE_ORIENTATION_UP to _LEFT; 0 means upright. */
    int32_t orientation;
    /* People that are followed at once, 1 to 4; 0 means 1. */
    int32_t maximum_bodies;
    /* Detections with a lower score are ignored, 0.01 to 0.99; 0 means 0.5. */
    float minimum_detection_score;
    /* A body is seen while its presence is above this, 0.01 to 0.99; 0 means 0.5. */
    float minimum_presence;
    /* Trackers: 1 leaves the points as the network gives them; 0 smooths them. */
    int32_t unsmoothed;
    /* Trackers: 1 looks for people in every frame in which fewer are followed, and forgets at once who is not seen, as
     * MediaPipe does; 0 looks ten times a second and less often in still scenes, and holds for a second who is not
     * seen. */
    int32_t detects_in_every_frame;
} gesture_body_options;

#define GESTURE_BODY_OPTIONS_INIT GESTURE_SIZED(gesture_body_options)

/* Finds the people of one still image, the largest first. The frame needs colour.
 * - options: NULL for the defaults.
 * - bodies: room for `capacity` bodies of `body_size` = sizeof(gesture_body) bytes each; may be NULL if capacity is 0.
 * - count: receives the number of bodies; 4 at most. With too little room GESTURE_TOO_SMALL is returned and no body
 *   is written. */
gesture_status gesture_engine_recognize_bodies(
    gesture_engine *engine, const gesture_frame *frame, const gesture_body_options *options, gesture_body *bodies,
    size_t capacity, size_t body_size, size_t *count, gesture_error *error);

/* People of a video: the same person keeps its identity. */
typedef struct gesture_body_tracker gesture_body_tracker;

/* Makes a body tracker. Any engine has the body networks.
 * - options: NULL for the defaults.
 * - tracker: receives the handle; on failure NULL. */
gesture_status gesture_body_tracker_create(
    gesture_engine *engine, const gesture_body_options *options, gesture_body_tracker **tracker, gesture_error *error);

/* Takes the next frame. The bodies are then those of this frame.
 * - time: when it was taken, nanoseconds. */
gesture_status gesture_body_tracker_track(
    gesture_body_tracker *tracker, const gesture_frame *frame, int64_t time, gesture_error *error);

/* Copies the bodies of the latest frame, those followed longest first; the arguments are those of
 * gesture_engine_recognize_bodies. */
gesture_status gesture_body_tracker_copy_bodies(
    gesture_body_tracker *tracker, gesture_body *bodies, size_t capacity, size_t body_size, size_t *count,
    gesture_error *error);

/* Forgets all bodies. */
gesture_status gesture_body_tracker_reset(gesture_body_tracker *tracker, gesture_error *error);

/* Releases a body tracker. */
gesture_status gesture_body_tracker_destroy(gesture_body_tracker *tracker, gesture_error *error);

/* ---- Streams ---- */

/* One camera or recording: frames in, events out. A push does all the work of its frame on the calling thread. Every
 * slot of the grid is computed, so a recording gives the same events on every machine. */
typedef struct gesture_stream gesture_stream;

/* Makes a stream.
 * - options: NULL for the defaults.
 * - stream: receives the handle; on failure NULL. */
gesture_status gesture_stream_create(
    gesture_engine *engine, const gesture_options *options, gesture_stream **stream, gesture_error *error);

/* What became of a frame. */
enum {
    /* It was recognised. */
    GESTURE_FRAME_ENCODED = 0,
    /* The camera is faster than the declared rate, and this slot was filled. */
    GESTURE_FRAME_SURPLUS = 1,
    /* Its time does not continue the stream: equal to the frame before, earlier, beyond 146 years, or a jump of more
     * than a second that the following frames have to confirm. */
    GESTURE_FRAME_DROPPED = 2,
    /* It was left out to save work. */
    GESTURE_FRAME_SKIPPED = 3
};

/* Bits of gesture_push_result.quality. */
enum {
    GESTURE_QUALITY_LOW_LIGHT = 1,
    GESTURE_QUALITY_OVEREXPOSED = 2,
    GESTURE_QUALITY_BLURRED = 4,
    GESTURE_QUALITY_SUBJECT_TOO_SMALL = 8,
    GESTURE_QUALITY_EXPOSURE_DRIFT = 16
};

/* What keeps a stream from using the times of its frames; see gesture_time_fault_text. */
enum {
    GESTURE_TIMES_USABLE = 0,
    /* Ten frames in a row have the same time. */
    GESTURE_TIMES_NEVER_ADVANCE = 1,
    /* The same, and it is a whole number of seconds above zero. */
    GESTURE_TIMES_WHOLE_SECONDS = 2,
    /* The same, and neighbouring times of 32-bit floats are a quarter of a second or more apart there. */
    GESTURE_TIMES_LOW_PRECISION = 3,
    /* Ten frames in a row are earlier than the one before. */
    GESTURE_TIMES_RUN_BACKWARD = 4,
    /* Ten frames in a row are 5 to 500 seconds apart, as if milliseconds were given as seconds. */
    GESTURE_TIMES_THOUSANDFOLD = 5,
    /* Ten frames in a row are beyond 146 years. */
    GESTURE_TIMES_BEYOND_HORIZON = 6,
    /* Ten frames in a row do not follow the one before in some other way. */
    GESTURE_TIMES_IRREGULAR = 7,
    /* A hundred frames in a row fall into a slot that is filled. */
    GESTURE_TIMES_TOO_CLOSE = 8,
    /* Each of ten frames in a row is more than 15 slots after the one before, and starts the stream anew. */
    GESTURE_TIMES_TOO_SLOW = 9
};

/* Sentences for users that say what is wrong with the times and what to do; NULL for a number that is no
 * GESTURE_TIMES, and for GESTURE_TIMES_USABLE. */
const char *gesture_time_fault_text(int32_t time_fault);

/* The result of a push. */
typedef struct gesture_push_result {
    /* A GESTURE_FRAME value. */
    int32_t outcome;
    /* The leading class of the newest slot, by its index in the stream's labels; -1 until the window is full, and
     * for a frame without a slot. */
    int32_t class_index;
    /* Its probability, 0 to 1. */
    float confidence;
    /* GESTURE_QUALITY bits: what is wrong with the images. */
    uint32_t quality;
    /* Events that wait for gesture_stream_take_events. */
    uint64_t waiting_events;
    /* A GESTURE_TIMES value. Each fault is reported once in a stream's life, by the frame that shows it; else
     * GESTURE_TIMES_USABLE. */
    int32_t time_fault;
    /* 1 while gestures count: always without a wake pose. */
    int32_t is_armed;
} gesture_push_result;

/* Takes one frame.
 * - time: when it was taken, nanoseconds. It decides the frame's slot on the grid.
 * - result: receives what became of it, `result_size` = sizeof(gesture_push_result) bytes; NULL with 0 if not wanted.
 * Returns GESTURE_FINISHED after gesture_stream_finish. A frame with an unusable time is no failure: it is dropped,
 * and result->time_fault says so once if it goes on. */
gesture_status gesture_stream_push(
    gesture_stream *stream, const gesture_frame *frame, int64_t time, gesture_push_result *result, size_t result_size,
    gesture_error *error);

/* Whether a gesture begins or ends, and why it ends. */
enum { GESTURE_EVENT_BEGIN = 1, GESTURE_EVENT_END = 2 };
enum {
    /* A begin has no cause. */
    GESTURE_END_NONE = 0,
    /* Enough frames of nothing or of another gesture. */
    GESTURE_END_RELEASED = 1,
    /* The gesture no longer led, and nothing else was certain. */
    GESTURE_END_UNSURE = 2,
    /* It reached the longest time. */
    GESTURE_END_EXPIRED = 3,
    /* The stream ended, or lost its continuity. */
    GESTURE_END_FLUSHED = 4
};

/* Bytes of a label in an event, with the zero at its end. */
#define GESTURE_LABEL_SIZE 64

/* The begin or the end of a gesture. */
typedef struct gesture_event {
    /* GESTURE_EVENT_BEGIN or GESTURE_EVENT_END. */
    int32_t kind;
    /* A GESTURE_END value. */
    int32_t end_cause;
    /* The gesture's index in the stream's labels. */
    int32_t class_index;
    /* Begin: the probability in the frame that decided. End: the highest while the gesture lasted. 0 to 1. */
    float confidence;
    /* The time of the first frame of the evidence, nanoseconds on the clock of the frames. */
    int64_t onset;
    /* The time of the frame that decided. */
    int64_t decision;
    /* 0 for the stream's first event, then one more for each; a gap shows lost events. */
    uint64_t sequence;
    /* The gesture's label, UTF-8, ended by a zero; longer ones are cut. */
    char label[GESTURE_LABEL_SIZE];
} gesture_event;

/* Takes the oldest waiting events out of the stream. A stream keeps the newest 1024 that nobody has taken.
 * - events: room for `capacity` events of `event_size` = sizeof(gesture_event) bytes each; may be NULL if capacity
 *   is 0.
 * - count: receives how many were written, 0 if none wait. */
gesture_status gesture_stream_take_events(
    gesture_stream *stream, gesture_event *events, size_t capacity, size_t event_size, size_t *count,
    gesture_error *error);

/* Copies the hands of the newest frame; none with an engine of pixels. The arguments are those of
 * gesture_engine_recognize_hands. */
gesture_status gesture_stream_copy_hands(
    gesture_stream *stream, gesture_hand *hands, size_t capacity, size_t hand_size, size_t *count,
    gesture_error *error);

/* What a hand does as a pointer. */
enum {
    GESTURE_POINTER_STATE_ABSENT = 0,
    GESTURE_POINTER_STATE_HOVERING = 1,
    /* Thumb and index finger pinch. */
    GESTURE_POINTER_STATE_PRESSED = 2,
    /* The pinch has moved. */
    GESTURE_POINTER_STATE_DRAGGING = 3
};

/* What happened to a pointer in a frame: bits, in the order in which they happened. */
enum {
    GESTURE_POINTER_ENTERED = 1,
    GESTURE_POINTER_MOVED = 2,
    GESTURE_POINTER_DRAGGED = 4,
    GESTURE_POINTER_PRESSED = 8,
    GESTURE_POINTER_RELEASED = 16,
    GESTURE_POINTER_CLICKED = 32,
    GESTURE_POINTER_DOUBLE_CLICKED = 64,
    /* A fist moved. */
    GESTURE_POINTER_SCROLLED = 128,
    GESTURE_POINTER_LEFT = 256
};

/* Why a press ended. */
enum {
    GESTURE_POINTER_RELEASE_NONE = 0,
    GESTURE_POINTER_RELEASE_OPENED = 1,
    /* The hand was not seen for 150 ms. */
    GESTURE_POINTER_RELEASE_LOST = 2,
    /* The stream began anew. */
    GESTURE_POINTER_RELEASE_RESET = 3
};

/* A hand as a pointer. */
typedef struct gesture_pointer {
    /* As in gesture_hand; -1 if the pointer is absent and did not leave in this frame. */
    int64_t identity;
    /* GESTURE_HAND_LEFT or _RIGHT; -1 without a hand. */
    int32_t handedness;
    /* A GESTURE_POINTER_STATE. */
    int32_t state;
    /* Shares of the screen's width and height from its top left, 0 to 1. */
    float x, y;
    /* The presence of the hand, 0 to 1; it falls while the hand is not seen. */
    float confidence;
    /* Bits of what happened in the newest frame; 0 if hands were not looked for in it. */
    uint32_t events;
    /* A GESTURE_POINTER_RELEASE; not NONE with GESTURE_POINTER_RELEASED alone. */
    int32_t release_reason;
    /* With GESTURE_POINTER_SCROLLED: by shares of the screen, to the right and down; else 0. */
    float scroll_x, scroll_y;
    /* Zero. */
    int32_t reserved;
} gesture_pointer;

/* The pointers of a frame. */
typedef struct gesture_pointers {
    /* The hand that came first and is still there, and another one. */
    gesture_pointer first, second;
    /* 1 while both are pressed or dragging; else 0, and the numbers below are 0. */
    int32_t has_pair;
    /* From the first to the second, in widths of a screen of 16:9; the direction in radians, 0 to the right and pi / 2 down. */
    float distance, angle;
    /* Over the distance, and since the angle, when the second one pressed. */
    float zoom, rotation;
    /* Zero. */
    int32_t reserved;
} gesture_pointers;

/* Copies the pointers of the newest frame; absent ones without gesture_options.pointer.
 * - pointers: `pointers_size` = sizeof(gesture_pointers) bytes. */
gesture_status gesture_stream_copy_pointers(
    gesture_stream *stream, gesture_pointers *pointers, size_t pointers_size, gesture_error *error);

/* The number of classes, "no gesture" included.
 * - null_index: receives the index of the class that means no gesture; NULL if not wanted. */
gesture_status gesture_stream_count_labels(
    gesture_stream *stream, size_t *count, size_t *null_index, gesture_error *error);

/* Copies the label of a class, UTF-8 and ended by a zero.
 * - label: room for `capacity` bytes; may be NULL if capacity is 0.
 * - needed: receives the bytes that the label needs with its zero. With too little room GESTURE_TOO_SMALL is
 *   returned and nothing is written to `label`. */
gesture_status gesture_stream_copy_label(
    gesture_stream *stream, size_t class_index, char *label, size_t capacity, size_t *needed, gesture_error *error);

/* Copies the probabilities of all classes behind the latest prediction, 0 to 1, in the order of the labels.
 * - count: receives the number of classes, or 0 before the first prediction. With too little room GESTURE_TOO_SMALL
 *   is returned and nothing is written to `scores`. */
gesture_status gesture_stream_copy_scores(
    gesture_stream *stream, float *scores, size_t capacity, size_t *count, gesture_error *error);

/* How long a stage took, nanoseconds; all zero if it never ran. */
typedef struct gesture_latency {
    uint64_t count;
    int64_t median, percentile95, percentile99, maximum;
} gesture_latency;

/* What a stream has counted and measured since it was made. */
typedef struct gesture_statistics {
    /* Frames that were admitted to the grid. Frames in = admitted + surplus + dropped. */
    uint64_t admitted;
    /* Columns repeated instead of missing frames. */
    uint64_t repeats;
    /* Frames left out because the camera is faster than the grid. */
    uint64_t surplus;
    /* Times that everything before was forgotten. */
    uint64_t resets;
    /* Frames dropped by their time, and the parts of this number: equal to the frame before, earlier, beyond 146
     * years, a jump that no frame confirmed. */
    uint64_t dropped, equal_times, backward_times, beyond_horizon, unconfirmed_jumps;
    /* Gestures begun and ended. */
    uint64_t begins, ends;
    /* Admission, resize and measures of a frame. */
    gesture_latency intake;
    /* The networks. */
    gesture_latency inference;
    /* From scores to events. */
    gesture_latency recognition;
    /* From the arrival of a frame to its result. */
    gesture_latency frame;
} gesture_statistics;

/* Copies the statistics, `statistics_size` = sizeof(gesture_statistics) bytes. */
gesture_status gesture_stream_copy_statistics(
    gesture_stream *stream, gesture_statistics *statistics, size_t statistics_size, gesture_error *error);

/* Ends the active gesture and forgets every frame; the next may have any time. The end waits for
 * gesture_stream_take_events. Statistics go on. A finished stream takes frames again. Call it before the camera
 * starts again. */
gesture_status gesture_stream_reset(gesture_stream *stream, gesture_error *error);

/* Ends the active gesture, whose end waits for gesture_stream_take_events, and takes no further frame. Everything
 * but a push still works. A second call changes nothing and returns GESTURE_FINISHED. Call it at the end of a
 * recording. */
gesture_status gesture_stream_finish(gesture_stream *stream, gesture_error *error);

/* Releases a stream, and the events that wait in it. */
gesture_status gesture_stream_destroy(gesture_stream *stream, gesture_error *error);

/* ---- Teaching ---- */

/* Takes frames for one recording after another. */
typedef struct gesture_recorder gesture_recorder;

/* What was recorded: a gesture, or anything else. It holds no image. */
typedef struct gesture_recording gesture_recording;

/* Makes a recorder.
 * - options: those of the streams that will recognise the gesture; NULL for the defaults.
 * - recorder: receives the handle; on failure NULL. */
gesture_status gesture_recorder_create(
    gesture_engine *engine, const gesture_options *options, gesture_recorder **recorder, gesture_error *error);

/* Takes the next frame. A gap that makes a stream forget everything begins the recording anew; what is longer than
 * 4096 slots of the rate is left out.
 * - time: when it was taken, nanoseconds. */
gesture_status gesture_recorder_push(
    gesture_recorder *recorder, const gesture_frame *frame, int64_t time, gesture_error *error);

/* Ends the recording, and prepares for the next one.
 * - recording: receives the handle; on failure NULL. */
gesture_status gesture_recorder_finish(gesture_recorder *recorder, gesture_recording **recording, gesture_error *error);

/* Releases a recorder. Its recordings live on. */
gesture_status gesture_recorder_destroy(gesture_recorder *recorder, gesture_error *error);

/* Releases a recording. */
gesture_status gesture_recording_destroy(gesture_recording *recording, gesture_error *error);

/* Makes a set of user gestures.
 * - content: what gesture_user_gestures_copy_bytes wrote for an engine of the same model; NULL for none yet.
 * - gestures: receives the handle; on failure NULL. */
gesture_status gesture_user_gestures_create(
    gesture_engine *engine, const gesture_bytes *content, gesture_user_gestures **gestures, gesture_error *error);

/* What is taught. */
enum {
    /* Each recording decides: a hand that is held still is a pose, anything else a movement. */
    GESTURE_KIND_AUTOMATIC = 0,
    GESTURE_KIND_MOVEMENT = 1,
    GESTURE_KIND_POSE = 2
};

/* What was learned. */
typedef struct gesture_lesson {
    /* 1: it is recognised when a hand is held still in it; 0: it is not. */
    int32_t is_pose;
    /* 1: it is recognised as a movement; 0: it is not. Both are 1 where recordings showed both. */
    int32_t is_movement;
    /* Of a movement: how often a minute it is made up in the background that comes with the hand networks; below 0 for
     * a pose, and for a model without such a background. */
    float false_events_per_minute;
    /* What the person who made the recordings should know, UTF-8, ended by a zero; empty if there is nothing. */
    char warning[GESTURE_MESSAGE_SIZE];
} gesture_lesson;

/* Teaches a gesture, or says in the error's sentence what to record instead, and then changes nothing. It takes much
 * longer than a frame.
 * - label: of its events, UTF-8.
 * - kind: a GESTURE_KIND.
 * - examples: recordings of the gesture, one or more; five of a movement are better.
 * - background: further recordings without the gesture, in which it must not be recognised. NULL with 0 for none.
 * - lesson: receives what was learned; NULL is allowed. */
gesture_status gesture_user_gestures_teach(
    gesture_user_gestures *gestures, const char *label, int32_t kind, gesture_recording *const *examples, size_t example_count,
    gesture_recording *const *background, size_t background_count, gesture_lesson *lesson, size_t lesson_size,
    gesture_error *error);

/* gesture_user_gestures_teach with GESTURE_KIND_AUTOMATIC and without the lesson. */
gesture_status gesture_user_gestures_add(
    gesture_user_gestures *gestures, const char *label, gesture_recording *const *examples, size_t example_count,
    gesture_recording *const *background, size_t background_count, gesture_error *error);

/* Forgets a gesture by its label, UTF-8. */
gesture_status gesture_user_gestures_remove(gesture_user_gestures *gestures, const char *label, gesture_error *error);

/* Copies the content of a file with the gestures.
 * - needed: receives the number of bytes. With too little room GESTURE_TOO_SMALL is returned and nothing is written to
 *   `bytes`, which may be NULL if capacity is 0. */
gesture_status gesture_user_gestures_copy_bytes(
    gesture_user_gestures *gestures, void *bytes, size_t capacity, size_t *needed, gesture_error *error);

/* Releases a set of user gestures. Streams keep what they have of it. */
gesture_status gesture_user_gestures_destroy(gesture_user_gestures *gestures, gesture_error *error);

#ifdef __cplusplus
}
#endif

#endif
