// libjpeg-turbo behind functions that return a status instead of jumping. Swift sees only this header.
//
// Every function that can fail arms its own jump target first, so no jump ever crosses a Swift frame. After a failure a
// handle is good for `..._report` and `..._destroy` only. A handle may be used by one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_JPEG_MAX_COMPONENTS = 4, PREP_JPEG_MESSAGE_SIZE = 200 };

// What libjpeg complained of, by kind; the first complaint of each kind is kept.
typedef enum {
    PREP_JPEG_DIAGNOSTIC_INPUT_ENDED,    // the bytes ran out (which is harmless if only the end marker was missing)
    PREP_JPEG_DIAGNOSTIC_TRUNCATED, // the entropy-coded data ran out with the bytes
    PREP_JPEG_DIAGNOSTIC_DAMAGED,   // the entropy-coded data makes no sense before that
    PREP_JPEG_DIAGNOSTIC_IRREGULAR,      // written oddly, as some cameras do; nothing is lost
    PREP_JPEG_DIAGNOSTIC_KIND_COUNT
} prep_jpeg_diagnostic_kind;

typedef struct {
    bool occurred;
    size_t offset; // of the input byte at which libjpeg stood
    char message[PREP_JPEG_MESSAGE_SIZE];
} prep_jpeg_diagnostic;

typedef enum {
    PREP_JPEG_FAILURE_NONE,
    PREP_JPEG_FAILURE_INVALID_DATA,        // the bytes are not a JPEG that can be read
    PREP_JPEG_FAILURE_UNSUPPORTED, // a kind of JPEG that libjpeg does not read
    PREP_JPEG_FAILURE_MEMORY,      // it would take more memory than allowed, or than there is
    PREP_JPEG_FAILURE_TOO_MANY_SCANS        // it has more scans than allowed
} prep_jpeg_failure_kind;

typedef struct {
    prep_jpeg_failure_kind failure_kind;
    size_t offset;
    char message[PREP_JPEG_MESSAGE_SIZE];
    prep_jpeg_diagnostic diagnostics[PREP_JPEG_DIAGNOSTIC_KIND_COUNT];
} prep_jpeg_error_report;

typedef enum {
    PREP_JPEG_COLOR_GRAY, PREP_JPEG_COLOR_YCBCR, PREP_JPEG_COLOR_RGB, PREP_JPEG_COLOR_CMYK, PREP_JPEG_COLOR_YCCK, PREP_JPEG_COLOR_OTHER
} prep_jpeg_color_model;

typedef struct {
    int32_t horizontal_sampling, vertical_sampling; // sampling factors, 1 to 4
    int32_t padded_width;         // samples written for each row: whole blocks
} prep_jpeg_component;

typedef struct {
    uint32_t width, height;
    prep_jpeg_color_model color_model;
    bool has_adobe_marker;
    int32_t component_count;
    prep_jpeg_component components[PREP_JPEG_MAX_COMPONENTS];
    uint16_t first_quantization_table[64]; // of the first component, in natural order; zeros if it has none yet
} prep_jpeg_header;

typedef struct prep_jpeg_decoder prep_jpeg_decoder;

// NULL if there is no memory.
prep_jpeg_decoder *_Nullable prep_jpeg_decoder_create(void);
void prep_jpeg_decoder_destroy(prep_jpeg_decoder *_Nonnull decoder);
const prep_jpeg_error_report *_Nonnull prep_jpeg_decoder_report(const prep_jpeg_decoder *_Nonnull decoder);

// The three steps of a decode. Each is given the whole file anew: the same bytes, which may have moved meanwhile.
// False on failure.
bool prep_jpeg_decoder_read_header(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count, prep_jpeg_header *_Nonnull header);
// `max_memory` bounds libjpeg's image buffers, whatever the environment's JPEGMEM says; `max_scans` the scans that it
// finds, which may be more than a walk through the segments does.
bool prep_jpeg_decoder_start(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count, long max_memory, int max_scans);
// Writes the next rows of each component: `vertical_sampling * 8` of them, `strides[c]` bytes apart, from
// `row_count + offsets[c]`. False on failure, and when there are no more.
bool prep_jpeg_decoder_read_mcu_row(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull rows, const size_t *_Nonnull offsets, const size_t *_Nonnull strides);
// Reads behind the last row to the end of image. A failure there is kept as an irregularity: the rows are all there.
void prep_jpeg_decoder_finish(prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);

typedef struct {
    const uint8_t *_Nonnull samples;
    size_t stride; // at least the width rounded up to 8
    uint32_t row_count;
} prep_jpeg_plane;

typedef struct {
    uint32_t width, height;
    int32_t component_count; // 1, or 3 for YCbCr
    int32_t horizontal_sampling, vertical_sampling; // pixels for a sample of chroma
    int32_t quality; // 1 to 100, libjpeg's scale
    bool is_progressive;
    const uint8_t *_Nullable icc_profile;
    uint32_t icc_byte_count; // 0 for none
} prep_jpeg_encoder_parameters;

typedef struct prep_jpeg_encoder prep_jpeg_encoder;

prep_jpeg_encoder *_Nullable prep_jpeg_encoder_create(void);
void prep_jpeg_encoder_destroy(prep_jpeg_encoder *_Nonnull encoder);
const prep_jpeg_error_report *_Nonnull prep_jpeg_encoder_report(const prep_jpeg_encoder *_Nonnull encoder);

// Encodes planes into the encoder's own buffer, which `output` then names until the next call. False on failure; an
// encoder may be used again after success.
bool prep_jpeg_encoder_encode(
    prep_jpeg_encoder *_Nonnull encoder, const prep_jpeg_encoder_parameters *_Nonnull parameters,
    const prep_jpeg_plane *_Nonnull planes, const uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_count);
