// A second reader for the most common kind of PNG: 8-bit RGB or RGBA, not interlaced, in which nothing is odd. It gives the same
// bytes as libpng and knows no tolerance: at the first oddity it stops, and libpng, which can judge, starts over. Needs AVX2.
//
// Source: W3C PNG, third edition, sections 5, 9 and 10.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where in the file an IDAT chunk's payload is. Its type stands right before it, its checksum right behind it.
typedef struct {
    size_t start, end;
} prep_png_chunk;

typedef struct prep_png_scan prep_png_scan;

// Whether this CPU has the instructions.
bool prep_png_scan_is_available(void);

// For rows of `row_bytes`, read `batch` at a time at most, of 3 or 4 bytes a pixel. NULL if there is no memory.
prep_png_scan *_Nullable prep_png_scan_create(
    size_t row_bytes, int32_t pixel_bytes, size_t batch, const prep_png_chunk *_Nonnull chunks, size_t chunk_count);
void prep_png_scan_destroy(prep_png_scan *_Nonnull scan);

// The next `count` rows, one right behind the other. `bytes` are those of the whole file. False at the first oddity; the scan
// is then of no more use.
bool prep_png_scan_read_rows(
    prep_png_scan *_Nonnull scan, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows, size_t count);

// Whether the compressed data ended, with the right sum, just where the last row and the last chunk did.
bool prep_png_scan_is_at_end(prep_png_scan *_Nonnull scan, const uint8_t *_Nonnull bytes);
