// A bit reader for entropy-coded data. Private to the fast decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "debug_assert.h"

// The next bits of the data, most significant first. At the end of the data and at a marker only zeros follow, and
// `bit_count` becomes negative as they are consumed.
//
//     bits: | bit_count valid bits, the next bit first | more bits of the next byte, or zeros |
//            63                         64 - bit_count   63 - bit_count                      0
typedef struct {
    uint64_t bits;
    int32_t bit_count;
    size_t next_byte, end_byte;
} bit_reader;

// All functions below that take a reader are inlined, so that the reader stays in registers. If its address is taken,
// it is kept in memory, and the whole decoder is half as fast as libjpeg.
#define ALWAYS_INLINE __attribute__((always_inline)) static inline
// For few branches only: clang takes a function with many of them for cold and optimizes it for size, which makes
// sequential decoding 2 to 4% slower.
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static inline bool contains_ff_byte(uint64_t eight) {
    const uint64_t inverse = ~eight; // a byte of 0xFF becomes 0
    return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Refills byte by byte. Removes the zero that is stuffed after 0xFF, and stops at a marker.
static __attribute__((noinline)) void refill_bytewise(bit_reader *reader, const uint8_t *bytes) {
    bit_reader local = *reader;
    DEBUG_ASSERT(local.bit_count >= 0 && local.bit_count < 64 && local.next_byte <= local.end_byte);
    while (local.bit_count <= 56 && local.next_byte < local.end_byte) {
        const uint8_t byte = bytes[local.next_byte];
        if (byte == 0xFF) {
            if (local.end_byte - local.next_byte < 2 || bytes[local.next_byte + 1] != 0) break;
            local.next_byte++;
        }
        local.next_byte++;
        local.bits |= (uint64_t)byte << (56 - local.bit_count);
        local.bit_count += 8;
    }
    *reader = local;
}

// Refills to at least 56 bits if the data has them. At least one code must be consumed between two calls: the shift by
// `bit_count` is undefined for a count of 64.
ALWAYS_INLINE void refill(bit_reader *reader, const uint8_t *bytes) {
    uint64_t eight = UINT64_MAX;
    DEBUG_ASSERT(reader->bit_count < 64 && reader->next_byte <= reader->end_byte);
    if (reader->end_byte - reader->next_byte >= 8) memcpy(&eight, bytes + reader->next_byte, 8);
    if (UNLIKELY(contains_ff_byte(eight) || reader->bit_count < 0)) {
        bit_reader copy = {reader->bits, reader->bit_count, reader->next_byte, reader->end_byte};
        if (copy.bit_count >= 0) refill_bytewise(&copy, bytes);
        reader->bits = copy.bits;
        reader->bit_count = copy.bit_count;
        reader->next_byte = copy.next_byte;
        return;
    }
    // The bits of a byte that fits only in part stay in `bits`. They are the same when the byte is read again. As many
    // bytes are taken as leave the count between 56 and 63; its lowest three bits do not change.
    reader->bits |= __builtin_bswap64(eight) >> reader->bit_count;
    reader->next_byte += (uint32_t)(63 - reader->bit_count) >> 3;
    reader->bit_count |= 56;
    DEBUG_ASSERT(reader->bit_count >= 56 && reader->bit_count < 64 && reader->next_byte <= reader->end_byte);
}

// Consumes `length` bits, fewer than 64.
ALWAYS_INLINE void consume_bits(bit_reader *reader, uint32_t length) {
    reader->bits <<= length & 63;
    reader->bit_count -= (int32_t)length;
}
