// libpng behind functions that return a status instead of jumping. Swift sees only this header.
//
// The rules are those of the JPEG shim: each function arms its own jump target; after a failure a handle is good for
// `..._report` and `..._destroy` only; one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_PNG_MESSAGE_SIZE = 200 };

typedef struct {
    bool has_failed;
    bool input_ended; // the bytes ran out
    bool has_warning;      // libpng passed over something odd, such as an ancillary chunk with a wrong checksum
    size_t failure_offset;    // of the byte at which the failure was noticed
    char failure_message[PREP_PNG_MESSAGE_SIZE];
    size_t warning_offset;
    char warning_message[PREP_PNG_MESSAGE_SIZE];
} prep_png_error_report;

typedef struct {
    uint32_t width, height;
    int32_t channel_count;    // of the rows delivered: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha; 8 bits each
    bool is_interlaced;
    int32_t file_gamma;  // times 100,000; 0 if the file states none, or states a profile or sRGB instead
    const uint8_t *_Nullable icc_profile; // the decoder's own, until it is destroyed
    uint32_t icc_byte_count;
} prep_png_header;

typedef struct prep_png_decoder prep_png_decoder;

prep_png_decoder *_Nullable prep_png_decoder_create(void);
void prep_png_decoder_destroy(prep_png_decoder *_Nonnull decoder);
const prep_png_error_report *_Nonnull prep_png_decoder_report(const prep_png_decoder *_Nonnull decoder);

// Each step is given the whole file anew: the same bytes, which may have moved meanwhile. False on failure.
//
// `max_chunk` bounds the memory of one ancillary chunk, `max_chunks` how many are kept. `reads_little` makes libpng
// take image data in small pieces: of a piece that isn't whole it uses nothing.
bool prep_png_decoder_read_header(
    prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    size_t max_chunk_bytes, uint32_t max_chunk_count, bool reads_small_pieces, prep_png_header *_Nonnull header);
// Writes the next `row_count` rows, `stride` bytes apart. An interlaced picture is read once for each of its 7 passes,
// all rows every time, over what the pass before left.
bool prep_png_decoder_read_rows(
    prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull rows, size_t stride, uint32_t row_count);
// Reads behind the last row to the end of the file.
bool prep_png_decoder_finish(prep_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);
