// PNGs of every kind, with any filters, and in any number of chunks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PNG_STREAM = 1 << 17 };

// The parts of a file: the chunks before the image data, and the compressed image data.
typedef struct {
    uint8_t head[1024], data[PNG_STREAM / 2];
    size_t head_count, data_count;
} png_parts;

void png_make(png_parts *parts);
// Makes image data with a wrong number of rows or invalid filters, and a valid checksum.
void png_make_wrong_rows(png_parts *parts);
// States a smaller or larger window than the image data uses.
void png_change_window(png_parts *parts);
// Writes the file with valid checksums. Returns its number of bytes.
size_t png_join(const png_parts *parts, uint8_t *stream);
uint32_t png_number(const uint8_t *bytes);
