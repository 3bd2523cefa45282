#include <zlib.h>

#include "CFloors.h"

size_t floor_deflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    uLongf length = capacity;
    return compress(output, &length, bytes, count) == Z_OK ? length : 0;
}

size_t floor_deflate_bound(size_t count) { return compressBound(count); }

uint32_t floor_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }
