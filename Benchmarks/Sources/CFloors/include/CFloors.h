#pragma once

#include <stddef.h>
#include <stdint.h>

// What no decoder can do without. Each returns how much it made, or -1 if the file can't be read.

// The entropy decode alone of a JPEG, by libjpeg-turbo: DCT blocks.
int64_t floor_read_coefficients(const uint8_t *bytes, size_t count);

// The inflate alone of a PNG, by zlib, its filters not undone: bytes.
int64_t floor_inflate_png(const uint8_t *bytes, size_t count);

// What no encoder can do without: the entropy encode alone, by libjpeg-turbo, of coefficients that are in memory.
typedef struct floor_coefficients floor_coefficients;

// The coefficients of a JPEG; NULL if it can't be read or there is no memory.
floor_coefficients *floor_coefficients_create(const uint8_t *bytes, size_t count);

// Writes them into memory, in one scan by the standard's tables or progressively: bytes, or -1 if that failed.
int64_t floor_write_coefficients(floor_coefficients *coefficients, int is_progressive);

void floor_coefficients_destroy(floor_coefficients *coefficients);

// What no reader of a file can do without: reading it to its end through a buffer. Bytes, or -1 if it can't be read.
int64_t floor_read_file(const char *path, uint8_t *buffer, size_t capacity);

// Nanoseconds of processor time that this process has used, in all its threads.
int64_t floor_cpu_time(void);

// Freed memory stays with this process. By default glibc gives some of it back, depending on what was freed before:
// then fresh pages cost the entropy decode of a picture as much again, or nothing.
void floor_keep_memory(void);

// With which inputs are made: a zlib stream of `bytes` by zlib's default level, whose length is returned, or 0 if it
// has more than the capacity; how much it may have; and the checksum of PNG's chunks.
size_t floor_deflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);
size_t floor_deflate_bound(size_t count);
uint32_t floor_crc32(const uint8_t *bytes, size_t count);
