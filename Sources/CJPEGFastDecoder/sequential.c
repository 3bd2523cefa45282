// Sequential decoding: one scan of all components, in which each block is complete.
//
// The loop over coefficients has no branch at the end of a block. It would be mispredicted in most blocks, because the
// number of coefficients is random. Conditional moves select the next block and its table instead. So a batch of blocks
// is decoded before the first of them is transformed.
#include "sequential.h"

// The end of a batch is a mispredicted branch. Batches of 12 blocks take 1% more time, and of 48 no less.
enum { MAX_BATCH_BLOCKS = 24 };

// The block that is being decoded, the table of its next entry, and the number of its coefficients so far.
typedef struct {
    sequential_block *block;
    const coefficient_pair *pairs;
    int32_t count;
} block_position;

// Hides from the compiler how a value was computed. Otherwise it selects an address and then loads from it, which is
// slower than a selection between two values that are already loaded.
#define OPAQUE(variable) __asm__("" : "+r"(variable))

// Decodes one entry. Returns false, with nothing consumed, if it is not in the lookup or may be the 64th coefficient.
ALWAYS_INLINE bool decode_pair(bit_reader *reader, block_position *position) {
    const coefficient_pair *pair = &position->pairs[reader->bits >> (64 - PAIR_LOOKUP_BITS)];
    const int32_t end = position->count + pair->advance;
    if (UNLIKELY(end & PAIR_IS_OTHER)) return false;
    sequential_block *block = position->block, *next_block = block + 1;
    const uint32_t length = pair->length, last_shift = pair->last_shift;
    block->values[prep_block_index_of_zigzag[position->count + (int32_t)(last_shift >> 6)]] = pair->first;
    // A shift by the bits before the last value makes it the first bits. For the sign see `decode_signed_value`.
    const uint64_t value_bits = reader->bits << ((length + last_shift) & 63);
    uint64_t negative = ~(uint64_t)((int64_t)value_bits >> 63);
    OPAQUE(negative);
    const uint64_t magnitude = (value_bits ^ negative) >> (last_shift & 63);
    block->values[prep_block_index_of_zigzag[end - 1]] = (int16_t)((magnitude ^ negative) - negative);
    consume_bits(reader, length);

    const coefficient_pair *ac_pairs = block->ac_pairs, *next_dc_pairs = next_block->dc_pairs;
    OPAQUE(ac_pairs);
    OPAQUE(next_dc_pairs);
    block->end = (uint8_t)end;
    position->pairs = end & PAIR_ENDS_BLOCK ? next_dc_pairs : ac_pairs;
    position->block = end & PAIR_ENDS_BLOCK ? next_block : block;
    position->count = end & PAIR_ENDS_BLOCK ? 0 : end;
    OPAQUE(position->block);
    return true;
}

// Decodes the one coefficient that `decode_pair` rejected. Returns false if the bits are not a code, or a block has no
// such coefficient.
static __attribute__((noinline)) bool decode_single(bit_reader *reader, block_position *position) {
    sequential_block *block = position->block;
    if (position->count == 0) {
        int32_t difference;
        if (!decode_dc_difference(reader, block->component->dc_table, &difference)) return false;
        block->values[0] = (int16_t)difference;
        position->count = 1;
        position->pairs = block->ac_pairs;
        return true;
    }
    const huffman_value_entry entry = prep_find_huffman_value(block->component->ac_table, reader->bits);
    const int32_t end = position->count + value_entry_advance(entry);
    // A run of 16 zeros may extend beyond the block, as in libjpeg. A coefficient may not.
    if (entry == 0 || (end > 64 && value_entry_coefficient(entry) != 0)) return false;
    consume_bits(reader, (uint32_t)value_entry_length(entry));
    if (end <= 64) {
        block->values[prep_block_index_of_zigzag[end - 1]] = (int16_t)value_entry_coefficient(entry);
        position->count = end;
    }
    if (end < 64) return true;
    block->end = (uint8_t)(position->count + 1);
    *position = (block_position){block + 1, block[1].dc_pairs, 0};
    return true;
}

enum { MAX_SINGLE_LENGTH = 27 }; // the bits of a code with its value

// Decodes blocks from the first to before `end`. The coefficients of DC are differences. Returns false at an anomaly.
ALWAYS_INLINE bool decode_batch(
    scan_state *scan, const uint8_t *bytes, sequential_block *first, const sequential_block *end) {
    bit_reader reader = scan->reader;
    block_position position = {first, first->dc_pairs, 0};
    while (position.block != end) {
        refill(&reader, bytes);
        // A refill has 56 bits, enough for three entries.
        if (decode_pair(&reader, &position)) {
            if (position.block == end) break;
            if (decode_pair(&reader, &position)) {
                if (position.block == end) break;
                if (decode_pair(&reader, &position)) continue;
            }
        }
        if (reader.bit_count < MAX_SINGLE_LENGTH) refill(&reader, bytes);
        bit_reader reader_copy = reader;
        block_position position_copy = position;
        if (!decode_single(&reader_copy, &position_copy)) return false;
        reader = reader_copy;
        position = position_copy;
    }
    scan->reader = reader;
    // Once the data has ended, only zeros were decoded, and the count has stayed negative.
    return reader.bit_count >= 0;
}

// Replaces the differences between DC coefficients by their sums.
static bool sum_dc_differences(sequential_block *first, const sequential_block *end) {
    for (sequential_block *block = first; block != end; block++) {
        const int32_t dc = block->component->dc_predictor + block->values[0];
        if (dc > 2047 || dc < -2047) return false;
        block->component->dc_predictor = dc;
        block->values[0] = (int16_t)dc;
    }
    return true;
}

ALWAYS_INLINE bool write_mcu_samples(
    const prep_jpeg_fast_decoder *decoder, sequential_block *block, int32_t index, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    for (int32_t c = 0; c < decoder->component_count; c++) {
        const component_state *component = &decoder->components[c];
        for (int32_t y = 0; y < component->vertical_sampling; y++) {
            for (int32_t x = 0; x < component->horizontal_sampling; x++, block++) {
                const int32_t column = index * component->horizontal_sampling + x;
                if (column >= component->blocks_per_row) {
                    block->coefficients = (coefficient_block){{0}};
                    continue;
                }
                const int32_t count = (block->end & ~PAIR_ENDS_BLOCK) - 1;
                uint8_t *out = rows + offsets[c] + (size_t)(y * component->block_size) * strides[c]
                    + (size_t)(column * component->block_size);
                if (!write_block_samples(component, &block->coefficients, count, out, strides[c])) return false;
            }
        }
    }
    return true;
}

void prep_init_mcus(prep_jpeg_fast_decoder *decoder, sequential_block *blocks, int32_t count) {
    scan_state *scan = decoder->scans;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t c = 0; c < scan->component_count; c++) {
            scan_component_state *component = &scan->components[c];
            for (int32_t n = 0; n < component->vertical_sampling * component->horizontal_sampling; n++, blocks++) {
                blocks->coefficients = (coefficient_block){{0}};
                blocks->dc_pairs = component->dc_pairs;
                blocks->ac_pairs = component->ac_pairs;
                blocks->component = component;
            }
        }
    }
    blocks->dc_pairs = NULL; // selected after the last block, and not used
}

ALWAYS_INLINE bool parse_mcus(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, sequential_block *blocks, int32_t count) {
    scan_state *scan = decoder->scans;
    while (count > 0) {
        if (scan->mcus_until_restart == 0 && !consume_restart_marker(scan, bytes)) return false;
        const int32_t part = scan->mcus_until_restart < (uint32_t)count ? (int32_t)scan->mcus_until_restart : count;
        const sequential_block *end = blocks + part * decoder->blocks_per_mcu;
        if (!decode_batch(scan, bytes, blocks, end) || !sum_dc_differences(blocks, end)) return false;
        scan->mcus_until_restart -= (uint32_t)part;
        blocks += part * decoder->blocks_per_mcu;
        count -= part;
    }
    return true;
}

#if defined(__x86_64__)
// With shifts by a register that set no flags, measuring a photo takes 2 to 4% less time on Emerald Rapids, of which
// parsing is 70%. On Zen 4 it takes no less.
__attribute__((target("bmi2"))) static bool parse_mcus_bmi2(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, sequential_block *blocks, int32_t count) {
    return parse_mcus(decoder, bytes, blocks, count);
}
#endif

bool prep_parse_mcus(prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, sequential_block *blocks, int32_t count) {
#if defined(__x86_64__)
    if (decoder->has_bmi2) return parse_mcus_bmi2(decoder, bytes, blocks, count);
#endif
    return parse_mcus(decoder, bytes, blocks, count);
}

bool prep_write_mcus(
    const prep_jpeg_fast_decoder *decoder, sequential_block *blocks, int32_t first, int32_t count, uint8_t *rows,
    const size_t *offsets, const size_t *strides) {
    for (int32_t i = 0; i < count; i++) {
        if (!write_mcu_samples(
                decoder, blocks + i * decoder->blocks_per_mcu, first + i, rows, offsets, strides)) return false;
    }
    return true;
}

bool prep_decode_sequential_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    sequential_block blocks[MAX_BATCH_BLOCKS + 1];
    const int32_t fitting = MAX_BATCH_BLOCKS / decoder->blocks_per_mcu;
    const int32_t max_count = decoder->mcus_per_row < fitting ? decoder->mcus_per_row : fitting;
    prep_init_mcus(decoder, blocks, max_count);
    for (int32_t first = 0, count; first < decoder->mcus_per_row; first += count) {
        const int32_t remaining = decoder->mcus_per_row - first;
        count = remaining < max_count ? remaining : max_count;
        if (!prep_parse_mcus(decoder, bytes, blocks, count)) return false;
        if (!prep_write_mcus(decoder, blocks, first, count, rows, offsets, strides)) return false;
    }
    return true;
}
