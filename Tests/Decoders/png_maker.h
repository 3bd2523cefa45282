// PNGs of every kind, with any filters, and in any number of chunks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PNG_STREAM = 1 << 17 };

// What a file is made of: the chunks before the image data, and that, compressed.
typedef struct {
    uint8_t head[1024], data[PNG_STREAM / 2];
    size_t head_count, data_count;
} png_parts;

void png_make(png_parts *parts);
// Image data that holds other rows than the header says, or filters that don't exist, with the right sum.
void png_make_wrong_rows(png_parts *parts);
// Says that the image data reaches back less far, or farther, than it does.
void png_change_window(png_parts *parts);
// Puts the file together, with all checksums right. Returns its count of bytes.
size_t png_join(const png_parts *parts, uint8_t *stream);
uint32_t png_number(const uint8_t *bytes);
