#include "bit_writer.h"

#include <stdlib.h>
#include <string.h>

#include "debug_assert.h"

// Ensures room for `count` more bytes.
static bool reserve(output_buffer *output, size_t count) {
    if (output->has_failed) return false;
    if (output->capacity - output->count >= count) return true;
    const size_t capacity = output->capacity * 2 + count;
    uint8_t *bytes = realloc(output->bytes, capacity);
    if (!bytes) {
        output->has_failed = true;
        return false;
    }
    output->bytes = bytes;
    output->capacity = capacity;
    return true;
}

void prep_output_append(output_buffer *output, const void *bytes, size_t count) {
    if (count == 0 || !reserve(output, count)) return;
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

// The bits that are not yet written: the lowest `bit_count`. Those above are of bytes that are written.
typedef struct {
    uint64_t bits;
    uint32_t bit_count; // below 8 between two writes
} bit_accumulator;

static inline bool contains_ff_byte(uint64_t eight) {
    const uint64_t inverse = ~eight; // a byte of 0xFF becomes 0
    return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

static inline void store_big_endian(uint8_t *out, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(out, &word, 8);
}

static __attribute__((noinline)) uint8_t *write_stuffed(uint8_t *out, uint64_t word, uint32_t byte_count) {
    for (uint32_t i = 0; i < byte_count; i++, word <<= 8) {
        *out++ = (uint8_t)(word >> 56);
        if (word >> 56 == 0xFF) *out++ = 0;
    }
    return out;
}

// Writes the whole bytes of at least 1 and at most 61 bits. The store is always of 8 bytes.
static inline uint8_t *write_whole_bytes(bit_accumulator *accumulator, uint8_t *out) {
    DEBUG_ASSERT(accumulator->bit_count >= 1 && accumulator->bit_count <= 63);
    const uint64_t word = accumulator->bits << (64 - accumulator->bit_count);
    const uint32_t byte_count = accumulator->bit_count >> 3;
    accumulator->bit_count &= 7;
    if (__builtin_expect(contains_ff_byte(word), 0)) return write_stuffed(out, word, byte_count);
    store_big_endian(out, word);
    return out + byte_count;
}

static inline void add_bits(bit_accumulator *accumulator, token token, const token_code *codes) {
    const token_code code = codes[token >> 16];
    const uint32_t length = code & 31;
    DEBUG_ASSERT(length >= 1 && length <= 27);
    accumulator->bits = accumulator->bits << length | (code >> 5 | (token & 0xFFFF));
    accumulator->bit_count += length;
}

// Tokens are written in batches that have room for the worst case: 27 bits each, in bytes that are all stuffed.
enum { BATCH = 1024, MAX_BATCH_BYTES = BATCH * 27 / 8 * 2 + 16 };

static uint8_t *write_batch(
    bit_accumulator *accumulator, const token *tokens, size_t count, const token_code *codes, uint8_t *out) {
    bit_accumulator local = *accumulator; // stays in registers
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        add_bits(&local, tokens[i], codes);
        add_bits(&local, tokens[i + 1], codes);
        out = write_whole_bytes(&local, out);
    }
    if (i < count) {
        add_bits(&local, tokens[i], codes);
        out = write_whole_bytes(&local, out);
    }
    *accumulator = local;
    return out;
}

static void append_batches(
    output_buffer *output, bit_accumulator *accumulator, const token *tokens, size_t count, const token_code *codes) {
    while (count > 0) {
        if (!reserve(output, MAX_BATCH_BYTES)) return;
        const size_t batch = count < BATCH ? count : BATCH;
        uint8_t *end = write_batch(accumulator, tokens, batch, codes, output->bytes + output->count);
        output->count = (size_t)(end - output->bytes);
        tokens += batch;
        count -= batch;
    }
}

void prep_output_append_tokens(
    output_buffer *output, const token_buffer *tokens, int32_t buffer_count, const token_code *codes) {
    bit_accumulator accumulator = {0, 0};
    for (int32_t i = 0; i < buffer_count; i++)
        append_batches(output, &accumulator, tokens[i].items, tokens[i].count, codes);
    if (accumulator.bit_count == 0 || !reserve(output, MAX_BATCH_BYTES)) return;
    accumulator.bits = accumulator.bits << 7 | 0x7F;
    accumulator.bit_count += 7;
    uint8_t *end = write_whole_bytes(&accumulator, output->bytes + output->count);
    output->count = (size_t)(end - output->bytes);
}
