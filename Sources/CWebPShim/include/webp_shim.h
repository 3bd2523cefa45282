// An interface to libwebp's incremental decoder. Swift sees only this header; only this module includes webp/decode.h.
//
// libwebp is loaded by the first call of `prep_webp_is_available`; the other functions need its result to be true. A
// handle must not be used by two threads at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a decoder delivers.
typedef enum {
    PREP_WEBP_PLANES, // the stored Y, Cb and Cr of a lossy image, 4:2:0 with limited range, without its alpha
    PREP_WEBP_RGB,
    PREP_WEBP_RGBA
} prep_webp_output;

typedef enum {
    PREP_WEBP_COMPLETE,   // all rows are decoded
    PREP_WEBP_INCOMPLETE, // more bytes are needed
    PREP_WEBP_DAMAGED,    // the image data is invalid, or has another size than the one that was stated
    PREP_WEBP_OUT_OF_MEMORY
} prep_webp_status;

typedef struct prep_webp_decoder prep_webp_decoder;

// Returns whether libwebp could be loaded. Can be called on any thread.
bool prep_webp_is_available(void);

// Creates a decoder of an image of `width` by `height` pixels, or returns NULL if an allocation fails.
prep_webp_decoder *_Nullable prep_webp_decoder_create(prep_webp_output output, int32_t width, int32_t height);
void prep_webp_decoder_destroy(prep_webp_decoder *_Nonnull decoder);

// Decodes the rows that the first `count` bytes of the image data contain: an optional ALPH chunk, and a VP8 or VP8L
// chunk, with their headers. Each call is given all bytes of the calls before, which may have moved, and more of them.
// After any other status than PREP_WEBP_INCOMPLETE it must not be called again.
prep_webp_status prep_webp_decoder_update(
    prep_webp_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);

// Returns the number of rows decoded so far.
int32_t prep_webp_decoder_row_count(const prep_webp_decoder *_Nonnull decoder);

// Copies decoded rows of the planes: of Y the rows from `first_row`, which is even, up to `end_row`, and of Cb and Cr
// their halves, rounded up. The first row of plane c goes to `rows + offsets[c]`, the others `strides[c]` bytes apart.
void prep_webp_decoder_copy_planes(
    const prep_webp_decoder *_Nonnull decoder, int32_t first_row, int32_t end_row, uint8_t *_Nonnull rows,
    const size_t *_Nonnull offsets, const size_t *_Nonnull strides);

// Returns decoded row `y` of RGB or RGBA pixels, valid until the decoder is destroyed.
const uint8_t *_Nonnull prep_webp_decoder_pixel_row(const prep_webp_decoder *_Nonnull decoder, int32_t y);
