// An interface to libpng. Its functions return a status instead of jumping. Swift sees only this header.
//
// The rules are those of the JPEG shim: each function sets its own jump target. After a failure a handle must only be
// passed to `..._report` and `..._destroy`. A handle must not be used by two threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_PNG_MESSAGE_SIZE = 200 };

typedef struct {
    bool has_failed;
    bool input_ended;      // the file ended early
    bool has_warning;      // libpng ignored an anomaly, such as an ancillary chunk with a wrong checksum
    size_t failure_offset; // libpng's position in the file
    char failure_message[PREP_PNG_MESSAGE_SIZE];
    size_t warning_offset;
    char warning_message[PREP_PNG_MESSAGE_SIZE];
} prep_png_error_report;

typedef struct {
    uint32_t width, height;
    int32_t channel_count; // of decoded rows, 8 bits each: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha
    bool is_interlaced;
    int32_t file_gamma; // times 100,000; 0 if the file declares no gamma, or an ICC profile or sRGB
    const uint8_t *_Nullable icc_profile; // valid until the decoder is destroyed
    uint32_t icc_byte_count;
} prep_png_header;

typedef struct prep_png_decoder prep_png_decoder;

prep_png_decoder *_Nullable prep_png_decoder_create(void);
void prep_png_decoder_destroy(prep_png_decoder *_Nonnull decoder);
const prep_png_error_report *_Nonnull prep_png_decoder_report(const prep_png_decoder *_Nonnull decoder);

// The steps of decoding follow. Each is given the whole file: the same bytes, which may have moved since the last step.
// Each returns false on failure.

// Reads the header.
//
// `max_chunk_bytes` limits the memory of one ancillary chunk, and `max_chunk_count` the number of chunks kept. With
// `reads_small_pieces` libpng reads image data in small pieces, so that more of a truncated file is decoded: libpng
// uses no part of an incomplete piece.
bool prep_png_decoder_read_header(
    prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    size_t max_chunk_bytes, uint32_t max_chunk_count, bool reads_small_pieces, prep_png_header *_Nonnull header);
// Decodes the next `row_count` rows, `stride` bytes apart. An interlaced image is decoded in 7 calls, one for each
// pass. Each call decodes all rows, over the result of the passes before.
bool prep_png_decoder_read_rows(
    prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull rows, size_t stride, uint32_t row_count);
// Reads the data after the last row, up to the end of the file.
bool prep_png_decoder_finish(prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);
