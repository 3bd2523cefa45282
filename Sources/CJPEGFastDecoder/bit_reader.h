// The entropy-coded data as bits. Private to the scan decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The data's next bits, from the highest down. Behind the end, and at a marker, there are only zeros: `bit_count` then
// falls below 0 as they are used. Where it is trimmed, that must be seen before it has fallen below -128.
typedef struct {
    uint64_t bits;
    int32_t bit_count;
    size_t next_byte, end_byte;
} bit_reader;

#if defined(__x86_64__)
#define TARGET_AVX2_BMI2 __attribute__((target("avx2,bmi2")))
// Everything below that takes a bit source is inlined, so that the source stays in registers: kept in memory, as it is
// once its address is taken, the whole decode is half as fast as libjpeg's.
#define INLINE_AVX2_BMI2 TARGET_AVX2_BMI2 __attribute__((always_inline)) static inline
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static inline bool contains_ff_byte(uint64_t eight) {
    const uint64_t inverse = ~eight; // a byte of 0xFF becomes one of 0
    return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Byte by byte: takes the zero away that is stuffed behind 0xFF, and stops at a marker.
static __attribute__((noinline)) void refill_bytewise(bit_reader *reader, const uint8_t *bytes) {
    bit_reader local = *reader;
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

// At least 56 bits, if there are so many. Not twice without a code taken in between: a count of 64 can't be added to.
INLINE_AVX2_BMI2 void refill(bit_reader *reader, const uint8_t *bytes) {
    uint64_t eight = UINT64_MAX;
    if (reader->end_byte - reader->next_byte >= 8) memcpy(&eight, bytes + reader->next_byte, 8);
    if (UNLIKELY(contains_ff_byte(eight) || reader->bit_count < 0)) {
        bit_reader copy = {reader->bits, reader->bit_count, reader->next_byte, reader->end_byte};
        if (copy.bit_count >= 0) refill_bytewise(&copy, bytes);
        reader->bits = copy.bits;
        reader->bit_count = copy.bit_count;
        reader->next_byte = copy.next_byte;
        return;
    }
    // Bits of a byte that is taken in part stay there, and are the same when it is read again.
    const int32_t taken = (63 - reader->bit_count) >> 3;
    reader->bits |= __builtin_bswap64(eight) >> reader->bit_count;
    reader->next_byte += (size_t)taken;
    reader->bit_count += taken * 8;
}

// The lowest byte of `length` is how many bits to take. That of the count is the count, which is trimmed to it only
// before it is used: to do so with each code would lengthen the chain from one to the next.
INLINE_AVX2_BMI2 void consume_bits(bit_reader *reader, uint32_t length) {
    reader->bits <<= length & 63;
    reader->bit_count -= (int32_t)length;
}

INLINE_AVX2_BMI2 void sign_extend_bit_count(bit_reader *reader) { reader->bit_count = (int8_t)reader->bit_count; }
#endif
