// A second reader for the most common kind of PNG: 8-bit RGB or RGBA, not interlaced, in which nothing is odd. It gives
// the same bytes as libpng and knows no tolerance: at the first oddity it stops, and libpng, which can judge, starts
// over. Needs AVX2.
//
// With one exception: zlib refuses a Huffman table for distances that leaves codes unused, and ISA-L reads on if the
// data never uses them. The samples are then right, by the data's own checksums, in a file that libpng calls damaged.
//
// Source: W3C PNG, third edition, sections 5, 9 and 10.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prep_png_fast_decoder prep_png_fast_decoder;

// Whether this CPU has the instructions.
bool prep_png_fast_decoder_is_available(void);

// For rows of `row_bytes`, read `batch` at a time at most, of 3 or 4 bytes a pixel. The file's bytes from `start` to
// `end` are IDAT chunks and nothing else. NULL if there is no memory.
prep_png_fast_decoder *_Nullable prep_png_fast_decoder_create(
    size_t bytes_per_row, int32_t bytes_per_pixel, size_t max_row_count, size_t chunks_start, size_t chunks_end);
void prep_png_fast_decoder_destroy(prep_png_fast_decoder *_Nonnull decoder);

// The next `count` rows, one right after the other. `bytes` are those of the whole file: the same in each call, but
// they may have moved since the last. False at the first oddity; the scan is then of no more use.
bool prep_png_fast_decoder_read_rows(
    prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows, size_t count);

// Whether the compressed data ended, with the right sum, just where the last row and the last chunk did.
bool prep_png_fast_decoder_has_consumed_all(prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes);
