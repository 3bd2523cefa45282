// A fast decoder for the most common kind of PNG: 8-bit RGB or RGBA, not interlaced. Its bytes are identical to those
// of libpng. It does not tolerate anomalies: it stops at the first one, and the file is then decoded by libpng, which
// can interpret it. It needs AVX2.
//
// One anomaly is not detected: zlib rejects a Huffman table for distances with unused codes, and ISA-L accepts it if
// the data does not use these codes. The samples are then correct, as the data's own checksums confirm, in a file that
// libpng calls damaged.
//
// Source: W3C PNG, third edition, sections 5, 9 and 10.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prep_png_fast_decoder prep_png_fast_decoder;

// Returns whether this CPU has AVX2.
bool prep_png_fast_decoder_is_available(void);

// Creates a decoder for rows of `bytes_per_row` bytes, with 3 or 4 bytes a pixel, of which at most `max_row_count` are
// read at a time. The bytes of the file from `chunks_start` to `chunks_end` are IDAT chunks only. Returns NULL if an
// allocation fails.
prep_png_fast_decoder *_Nullable prep_png_fast_decoder_create(
    size_t bytes_per_row, int32_t bytes_per_pixel, size_t max_row_count, size_t chunks_start, size_t chunks_end);
void prep_png_fast_decoder_destroy(prep_png_fast_decoder *_Nonnull decoder);

// Decodes the next `count` rows, which are contiguous in `rows`. `bytes` is the whole file, the same in each call,
// though it may have moved. Returns false at the first anomaly; the decoder must then only be destroyed.
bool prep_png_fast_decoder_read_rows(
    prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows, size_t count);

// Returns whether the compressed data ended, with the right checksum, exactly after the last row and the last chunk.
bool prep_png_fast_decoder_has_consumed_all(prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes);
