// The entropy-coded data as bits. Private to the scan decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The data's next bits, from the highest down. Behind the end, and at a marker, there are only zeros: `count` then falls
// below 0 as they are used. Where it is trimmed, that must be seen before it has fallen below -128.
typedef struct {
    uint64_t bits;
    int32_t count;
    size_t position, end;
} bit_source;

#if defined(__x86_64__)
#define FAST __attribute__((target("avx2,bmi2")))
// Everything below that takes a bit source is inlined, so that the source stays in registers: kept in memory, as it is
// once its address is taken, the whole decode is half as fast as libjpeg's.
#define INLINE FAST __attribute__((always_inline)) static inline
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static inline bool has_prefix_byte(uint64_t eight) {
    const uint64_t inverse = ~eight; // a byte of 0xFF becomes one of 0
    return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Byte by byte: takes the zero away that is stuffed behind 0xFF, and stops at a marker.
static __attribute__((noinline)) void refill_slowly(bit_source *shared, const uint8_t *bytes) {
    bit_source source = *shared;
    while (source.count <= 56 && source.position < source.end) {
        const uint8_t byte = bytes[source.position];
        if (byte == 0xFF) {
            if (source.end - source.position < 2 || bytes[source.position + 1] != 0) break;
            source.position++;
        }
        source.position++;
        source.bits |= (uint64_t)byte << (56 - source.count);
        source.count += 8;
    }
    *shared = source;
}

// At least 56 bits, if there are so many. Not twice without a code taken in between: a count of 64 can't be added to.
INLINE void refill(bit_source *source, const uint8_t *bytes) {
    uint64_t eight = UINT64_MAX;
    if (source->end - source->position >= 8) memcpy(&eight, bytes + source->position, 8);
    if (UNLIKELY(has_prefix_byte(eight) || source->count < 0)) {
        bit_source copy = {source->bits, source->count, source->position, source->end};
        if (copy.count >= 0) refill_slowly(&copy, bytes);
        source->bits = copy.bits;
        source->count = copy.count;
        source->position = copy.position;
        return;
    }
    // Bits of a byte that is taken in part stay there, and are the same when it is read again.
    const int32_t taken = (63 - source->count) >> 3;
    source->bits |= __builtin_bswap64(eight) >> source->count;
    source->position += (size_t)taken;
    source->count += taken * 8;
}

// The lowest byte of `length` is how many bits to take. That of the count is the count, which is trimmed to it only before it is
// used: to do so with each code would lengthen the chain from one to the next.
INLINE void take(bit_source *source, uint32_t length) {
    source->bits <<= length & 63;
    source->count -= (int32_t)length;
}

INLINE void trim_count(bit_source *source) { source->count = (int8_t)source->count; }
#endif
