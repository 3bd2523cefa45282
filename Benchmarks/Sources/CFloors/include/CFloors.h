#pragma once

#include <stddef.h>
#include <stdint.h>

// The least work of decoders. Each returns the amount of its output, or -1 if the file is invalid.

// Entropy decode of a JPEG by libjpeg-turbo. Returns the number of DCT blocks.
int64_t floor_read_coefficients(const uint8_t *bytes, size_t count);

// Inflate of a PNG by zlib, without reversing its filters. Returns the number of bytes.
int64_t floor_inflate_png(const uint8_t *bytes, size_t count);

// The least work of encoders: entropy encode of coefficients in memory by libjpeg-turbo.
typedef struct floor_coefficients floor_coefficients;

// Returns the coefficients of a JPEG, or NULL if it is invalid or there is no memory.
floor_coefficients *floor_coefficients_create(const uint8_t *bytes, size_t count);

// Encodes them to memory, in one scan with the standard's tables or progressively. Returns the bytes, or -1.
int64_t floor_write_coefficients(floor_coefficients *coefficients, int is_progressive);

void floor_coefficients_destroy(floor_coefficients *coefficients);

// The least work of a reader: reads a file to its end through a buffer. Returns the bytes, or -1.
int64_t floor_read_file(const char *path, uint8_t *buffer, size_t capacity);

// Returns the CPU time of all threads of this process, in nanoseconds.
int64_t floor_cpu_time(void);

// Keeps freed memory in this process. By default glibc returns some of it to the system, depending on earlier frees.
// New pages could then double the time of an entropy decode.
void floor_keep_memory(void);

// With which inputs are made: a zlib stream of `bytes` by zlib's default level, whose length is returned, or 0 if it
// has more than the capacity; how much it may have; and the checksum of PNG's chunks.
size_t floor_deflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);
size_t floor_deflate_bound(size_t count);
uint32_t floor_crc32(const uint8_t *bytes, size_t count);
