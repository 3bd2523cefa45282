// A fast decoder for the most common kind of PNG: 8-bit RGB or RGBA, not interlaced. Its bytes are identical to those
// of libpng. It does not tolerate anomalies: it stops at the first one, and the file is then decoded by libpng, which
// can interpret it.
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

// The instructions that filters and checksums use. The bytes, and the files that are rejected, are the same for all.
typedef enum { PREP_PNG_FAST_PORTABLE, PREP_PNG_FAST_AVX2, PREP_PNG_FAST_NEON } prep_png_fast_instruction_set;

// Returns whether this processor is little-endian with 64-bit addresses. The decoder does not support others.
bool prep_png_fast_decoder_is_available(void);

// The rows of an image, and its place in the file.
typedef struct {
    size_t bytes_per_row;            // a positive multiple of `bytes_per_pixel`
    int32_t bytes_per_pixel;         // 3 or 4
    size_t max_row_count;            // the maximum number of rows that are inflated at a time, at least 1
    size_t chunks_start, chunks_end; // the bytes of the file between these offsets are IDAT chunks only
} prep_png_fast_image;

// Creates a decoder. Returns NULL if a parameter is invalid, rows of the maximum count exceed 4 GiB, an allocation
// fails, the decoder is not available, or this build or processor does not have the instruction set.
prep_png_fast_decoder *_Nullable prep_png_fast_decoder_create(
    const prep_png_fast_image *_Nonnull image, prep_png_fast_instruction_set instruction_set);
void prep_png_fast_decoder_destroy(prep_png_fast_decoder *_Nonnull decoder);

// Inflates the next `count` rows, at most the maximum, after all rows before have been returned. `bytes` is the whole
// file, the same in each call, though it may have moved. Returns false at the first anomaly; the decoder must then only
// be destroyed.
bool prep_png_fast_decoder_inflate_rows(
    prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count);

// Returns the next of the inflated rows after reversing its filter. The row stays valid until more rows are inflated.
// Returns NULL if no row is left, or its filter type is invalid; in the latter case the decoder must then only be
// destroyed.
const uint8_t *_Nullable prep_png_fast_decoder_next_row(prep_png_fast_decoder *_Nonnull decoder);

// Returns whether the compressed data ended, with the right checksum, exactly after the last row and the last chunk.
// All rows must have been returned. The decoder must then only be destroyed.
bool prep_png_fast_decoder_has_consumed_all(prep_png_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes);
