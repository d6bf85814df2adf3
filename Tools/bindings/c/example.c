/*
 * Recognises the gestures of a video: reads Y4M with 4:2:0 chroma from standard input and prints an event a line, as
 * `gesture-bench replay --json` does.
 *
 *     Tools/bindings/build
 *     cc Tools/bindings/c/example.c -I.build/bindings/dist/include -L.build/bindings/dist/lib -lgesture \
 *         -Wl,-rpath,$PWD/.build/bindings/dist/lib -o example
 *     ffmpeg -v error -i Weights/demo/hands.mp4 -f yuv4mpegpipe -pix_fmt yuv420p - | ./example
 */
#include <gesture.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *reason) {
    fprintf(stderr, "example: %s\n", reason);
    return 1;
}

/* The size and the rate of a Y4M stream by its first line. Returns 0 for a line that is none. */
static int read_header(int *width, int *height, int *rate, int *scale) {
    char line[256];
    if (fgets(line, sizeof line, stdin) == NULL || strncmp(line, "YUV4MPEG2 ", 10) != 0) return 0;
    *width = *height = 0;
    *rate = 30;
    *scale = 1;
    for (char *field = strtok(line + 10, " \n"); field != NULL; field = strtok(NULL, " \n")) {
        if (field[0] == 'W') *width = atoi(field + 1);
        if (field[0] == 'H') *height = atoi(field + 1);
        if (field[0] == 'F' && sscanf(field + 1, "%d:%d", rate, scale) != 2) return 0;
        if (field[0] == 'C' && strncmp(field + 1, "420", 3) != 0) return 0;
    }
    return *width > 0 && *height > 0 && *width <= 16384 && *height <= 16384 && *rate > 0 && *scale > 0;
}

/* Prints and removes the events that wait in the stream. */
static gesture_status print_events(gesture_stream *stream, gesture_error *error) {
    for (;;) {
        gesture_event event;
        size_t count;
        gesture_status status = gesture_stream_take_events(stream, &event, 1, sizeof event, &count, error);
        if (status != GESTURE_OK || count == 0) return status;
        printf("{\"confidence\":%.4f,\"decision_s\":%.6f,\"event\":\"%s\",\"label\":\"%s\",\"onset_s\":%.6f,"
               "\"sequence\":%" PRIu64 "}\n",
               event.confidence, event.decision / 1e9, event.kind == GESTURE_EVENT_BEGIN ? "begin" : "end", event.label,
               event.onset / 1e9, event.sequence);
    }
}

/* Pushes the frames of standard input, one after the other. */
static gesture_status push_frames(
    gesture_stream *stream, int width, int height, int rate, int scale, gesture_error *error) {
    size_t luma = (size_t)width * (size_t)height;
    size_t chroma = (size_t)((width + 1) / 2) * (size_t)((height + 1) / 2);
    unsigned char *pixels = malloc(luma + 2 * chroma);
    if (pixels == NULL) {
        error->status = GESTURE_SYSTEM;
        strcpy(error->message, "There is no memory for a frame.");
        return GESTURE_SYSTEM;
    }
    gesture_frame frame = GESTURE_FRAME_INIT;
    frame.format = GESTURE_FORMAT_I420;
    frame.width = width;
    frame.height = height;
    frame.planes[0] = (gesture_plane){pixels, luma, 0};
    frame.planes[1] = (gesture_plane){pixels + luma, chroma, 0};
    frame.planes[2] = (gesture_plane){pixels + luma + chroma, chroma, 0};
    char line[256];
    gesture_status status = GESTURE_OK;
    for (int64_t index = 0; status == GESTURE_OK; index++) {
        if (fgets(line, sizeof line, stdin) == NULL || strncmp(line, "FRAME", 5) != 0) break;
        if (fread(pixels, 1, luma + 2 * chroma, stdin) != luma + 2 * chroma) break;
        status = gesture_stream_push(stream, &frame, index * 1000000000 * scale / rate, NULL, 0, error);
        if (status == GESTURE_OK) status = print_events(stream, error);
    }
    free(pixels);
    return status;
}

int main(void) {
    int width, height, rate, scale;
    if (!read_header(&width, &height, &rate, &scale)) return fail("standard input is not Y4M with 4:2:0 chroma");

    gesture_error error;
    gesture_engine *engine;
    gesture_stream *stream;
    if (gesture_engine_create(NULL, &engine, &error) != GESTURE_OK) return fail(error.message);
    gesture_options options = GESTURE_OPTIONS_INIT;
    options.rate = (double)rate / scale <= 30.3 ? 30 : (double)rate / scale <= 60.6 ? 60 : 120;
    gesture_status status = gesture_stream_create(engine, &options, &stream, &error);
    gesture_engine_destroy(engine, NULL); /* The stream keeps what it needs. */
    if (status != GESTURE_OK) return fail(error.message);

    status = push_frames(stream, width, height, rate, scale, &error);
    if (status == GESTURE_OK) status = gesture_stream_finish(stream, &error);
    if (status == GESTURE_OK) status = print_events(stream, &error);
    gesture_statistics statistics;
    if (status == GESTURE_OK) status = gesture_stream_copy_statistics(stream, &statistics, sizeof statistics, &error);
    gesture_stream_destroy(stream, NULL);
    if (status != GESTURE_OK) return fail(error.message);
    fprintf(stderr, "%" PRIu64 " frames, %" PRIu64 " dropped, median %.2f ms\n", statistics.admitted,
            statistics.dropped, statistics.frame.median / 1e6);
    return 0;
}
