// An interface to libjpeg-turbo. Its functions return a status instead of jumping. Swift sees only this header.
//
// Every function that can fail sets its own jump target first, so no jump crosses a Swift frame. After a failure a
// handle must only be passed to `..._report` and `..._destroy`. A handle must not be used by two threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_JPEG_MAX_COMPONENTS = 4, PREP_JPEG_MESSAGE_SIZE = 200 };

// The kinds of libjpeg's warnings. The first warning of each kind is kept.
typedef enum {
    PREP_JPEG_DIAGNOSTIC_INPUT_ENDED, // the file ended, which is harmless if only the end-of-image marker is missing
    PREP_JPEG_DIAGNOSTIC_TRUNCATED,   // the entropy-coded data ended with the file
    PREP_JPEG_DIAGNOSTIC_DAMAGED,     // the entropy-coded data is invalid before the end of the file
    PREP_JPEG_DIAGNOSTIC_IRREGULAR,   // the file is unusual, as some cameras' are; nothing is lost
    PREP_JPEG_DIAGNOSTIC_KIND_COUNT
} prep_jpeg_diagnostic_kind;

typedef struct {
    bool occurred;
    size_t offset; // libjpeg's position in the file
    char message[PREP_JPEG_MESSAGE_SIZE];
} prep_jpeg_diagnostic;

typedef enum {
    PREP_JPEG_FAILURE_NONE,
    PREP_JPEG_FAILURE_INVALID_DATA,  // the file is not a valid JPEG
    PREP_JPEG_FAILURE_UNSUPPORTED,   // libjpeg does not support this kind of JPEG
    PREP_JPEG_FAILURE_MEMORY,        // decoding needs more memory than is allowed or available
    PREP_JPEG_FAILURE_TOO_MANY_SCANS // the file has more scans than are allowed
} prep_jpeg_failure_kind;

typedef struct {
    prep_jpeg_failure_kind failure_kind;
    size_t offset;
    char message[PREP_JPEG_MESSAGE_SIZE];
    prep_jpeg_diagnostic diagnostics[PREP_JPEG_DIAGNOSTIC_KIND_COUNT];
} prep_jpeg_error_report;

typedef enum {
    PREP_JPEG_COLOR_GRAY, PREP_JPEG_COLOR_YCBCR, PREP_JPEG_COLOR_RGB, PREP_JPEG_COLOR_CMYK, PREP_JPEG_COLOR_YCCK,
    PREP_JPEG_COLOR_OTHER
} prep_jpeg_color_model;

typedef struct {
    int32_t horizontal_sampling, vertical_sampling; // sampling factors, 1 to 4
    int32_t blocks_per_row;                         // blocks with samples
    int32_t half_size_block_size;                   // the samples in a row of a block at half size; see ..._start
} prep_jpeg_component;

typedef struct {
    uint32_t width, height;
    prep_jpeg_color_model color_model;
    bool has_adobe_marker;
    int32_t component_count;
    prep_jpeg_component components[PREP_JPEG_MAX_COMPONENTS];
    uint16_t first_quantization_table[64]; // of the first component, in natural order; zeros if not yet defined
} prep_jpeg_header;

typedef struct prep_jpeg_decoder prep_jpeg_decoder;

// Creates a decoder, or returns NULL if an allocation fails.
prep_jpeg_decoder *_Nullable prep_jpeg_decoder_create(void);
void prep_jpeg_decoder_destroy(prep_jpeg_decoder *_Nonnull decoder);
const prep_jpeg_error_report *_Nonnull prep_jpeg_decoder_report(const prep_jpeg_decoder *_Nonnull decoder);

// The steps of decoding follow. Each is given the whole file: the same bytes, which may have moved since the last step.
// Each returns false on failure.

// Reads the header.
bool prep_jpeg_decoder_read_header(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    prep_jpeg_header *_Nonnull header);
// Starts decoding. At half size, blocks have 4 by 4 samples instead of 8 by 8; but a component of which the file has
// half as many samples in both directions keeps its 8 by 8. `max_memory` limits libjpeg's image buffers, in bytes,
// whatever the environment variable JPEGMEM says. `max_scans` limits the scans that libjpeg finds, which may be more
// than those among the parsed segments.
bool prep_jpeg_decoder_start(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count, bool is_half_size,
    long max_memory, int max_scans);
// Decodes the next row of MCUs. Writes `vertical_sampling` rows of blocks of each component: their first row of samples
// at `rows + offsets[c]`, and the others `strides[c]` bytes apart. Returns false on failure, and when there are no more
// rows.
bool prep_jpeg_decoder_read_mcu_row(
    prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull rows, const size_t *_Nonnull offsets, const size_t *_Nonnull strides);
// Reads the data after the last row, up to the end of image. A failure there is recorded as an irregularity, since all
// rows were decoded.
void prep_jpeg_decoder_finish(prep_jpeg_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);

typedef struct {
    const uint8_t *_Nonnull samples;
    size_t stride; // in bytes; at least the width rounded up to a multiple of 8
    uint32_t row_count;
} prep_jpeg_plane;

typedef struct {
    uint32_t width, height;
    int32_t component_count; // 1, or 3 for YCbCr
    int32_t horizontal_sampling, vertical_sampling; // the number of pixels for a chroma sample
    int32_t quality;                                // on libjpeg's scale, 1 to 100
    bool is_progressive;           // with Huffman tables for the image
    bool optimizes_huffman_tables; // for a sequential file; takes memory for the coefficients
    const uint8_t *_Nullable icc_profile;
    uint32_t icc_byte_count; // 0 for none
} prep_jpeg_encoder_parameters;

typedef struct prep_jpeg_encoder prep_jpeg_encoder;

// Creates an encoder, or returns NULL if an allocation fails.
prep_jpeg_encoder *_Nullable prep_jpeg_encoder_create(void);
void prep_jpeg_encoder_destroy(prep_jpeg_encoder *_Nonnull encoder);
const prep_jpeg_error_report *_Nonnull prep_jpeg_encoder_report(const prep_jpeg_encoder *_Nonnull encoder);

// Encodes planes into memory of malloc, which the caller must free. Returns false on failure, with no memory to free.
// An encoder can be used again after success.
bool prep_jpeg_encoder_encode(
    prep_jpeg_encoder *_Nonnull encoder, const prep_jpeg_encoder_parameters *_Nonnull parameters,
    const prep_jpeg_plane *_Nonnull planes, uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_count);
