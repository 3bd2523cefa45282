// Sequential decoding: one scan of all components, in which each block is complete.
#include "decoder.h"

enum { MAX_ENTRY_BITS = 26 }; // the bits of a code with its value

// Decodes one coefficient after `k`. Returns false for an entry that is not in the lookup or may end the block.
ALWAYS_INLINE bool decode_short_coefficient(
    bit_reader *reader, const ac_huffman_table *table, coefficient_block *block, int32_t *k,
    huffman_value_entry *entry) {
    *entry = table->value_lookup[reader->bits >> (64 - VALUE_LOOKUP_BITS)];
    const int32_t next = *k + value_entry_advance(*entry);
    if (next >= 63) return false;
    *k = next;
    block->values[prep_block_index_of_zigzag[next]] = (int16_t)value_entry_coefficient(*entry);
    consume_bits(reader, *entry);
    return true;
}

typedef enum { BLOCK_CONTINUES, BLOCK_ENDED, BLOCK_INVALID } block_progress;

// Decodes the entry that `decode_short_coefficient` rejected: a longer code, the last coefficient, or the end of block.
ALWAYS_INLINE block_progress decode_other_entry(
    bit_reader *reader, const uint8_t *bytes, const ac_huffman_table *table, coefficient_block *block, int32_t *k,
    huffman_value_entry entry) {
    if (entry == CODE_EXCEEDS_LOOKUP) {
        if (reader->bit_count < MAX_ENTRY_BITS) refill(reader, bytes);
        entry = prep_find_huffman_value(table, reader->bits);
        if (entry == 0) return BLOCK_INVALID;
    }
    consume_bits(reader, entry);
    sign_extend_bit_count(reader);
    const int32_t next = *k + value_entry_advance(entry);
    // A run of 16 zeros may extend beyond the block, as in libjpeg. A coefficient may not.
    if (next > 63) return value_entry_coefficient(entry) == 0 ? BLOCK_ENDED : BLOCK_INVALID;
    *k = next;
    block->values[prep_block_index_of_zigzag[next]] = (int16_t)value_entry_coefficient(entry);
    return next < 63 ? BLOCK_CONTINUES : BLOCK_ENDED;
}

// Decodes the coefficients of one block. Returns the number of coefficients read in zigzag order, at least 1 for the DC
// coefficient; 0 at an anomaly.
ALWAYS_INLINE int32_t decode_block(
    bit_reader *reader, const uint8_t *bytes, scan_component_state *component, coefficient_block *block) {
    int32_t difference, k = 0;
    refill(reader, bytes);
    if (!decode_dc_difference(reader, component->dc_table, &difference)) return 0;
    component->dc_predictor += difference;
    if (component->dc_predictor > 2047 || component->dc_predictor < -2047) return 0;
    block->values[0] = (int16_t)component->dc_predictor;
    const ac_huffman_table *table = component->ac_table;
    huffman_value_entry entry;
    block_progress progress = BLOCK_CONTINUES;
    // A refill has 56 bits. The DC coefficient leaves 29, enough for two entries of the lookup; later there are enough
    // for five.
    bool are_short = decode_short_coefficient(reader, table, block, &k, &entry)
        && decode_short_coefficient(reader, table, block, &k, &entry);
    for (;;) {
        sign_extend_bit_count(reader);
        // This check must come before the count is too low for its lowest byte.
        if (reader->bit_count < 0) return 0;
        if (!are_short
            && (progress = decode_other_entry(reader, bytes, table, block, &k, entry)) != BLOCK_CONTINUES) break;
        refill(reader, bytes);
        are_short = decode_short_coefficient(reader, table, block, &k, &entry)
            && decode_short_coefficient(reader, table, block, &k, &entry)
            && decode_short_coefficient(reader, table, block, &k, &entry)
            && decode_short_coefficient(reader, table, block, &k, &entry)
            && decode_short_coefficient(reader, table, block, &k, &entry);
    }
    return reader->bit_count < 0 || progress == BLOCK_INVALID ? 0 : k + 1;
}

// The coefficients of all blocks of one MCU, and the number of coefficients read in each block. Between MCUs the blocks
// are zero.
typedef struct {
    coefficient_block blocks[MAX_BLOCKS_PER_MCU];
    int32_t coefficient_counts[MAX_BLOCKS_PER_MCU];
} mcu_coefficients;

ALWAYS_INLINE bool decode_mcu(scan_state *scan, const uint8_t *bytes, mcu_coefficients *mcu) {
    bit_reader reader = scan->reader;
    int32_t n = 0;
    for (int32_t c = 0; c < scan->component_count; c++) {
        scan_component_state *component = &scan->components[c];
        for (int32_t i = 0; i < component->vertical_sampling * component->horizontal_sampling; i++, n++) {
            DEBUG_ASSERT(n < MAX_BLOCKS_PER_MCU);
            mcu->coefficient_counts[n] = decode_block(&reader, bytes, component, &mcu->blocks[n]);
            if (mcu->coefficient_counts[n] == 0) return false;
        }
    }
    scan->reader = reader;
    return true;
}

ALWAYS_INLINE bool write_mcu_samples(
    const prep_jpeg_fast_decoder *decoder, mcu_coefficients *mcu, int32_t index, uint8_t *rows,
    const size_t *offsets, const size_t *strides) {
    int32_t n = 0;
    for (int32_t c = 0; c < decoder->component_count; c++) {
        const component_state *component = &decoder->components[c];
        for (int32_t y = 0; y < component->vertical_sampling; y++) {
            for (int32_t x = 0; x < component->horizontal_sampling; x++, n++) {
                const int32_t column = index * component->horizontal_sampling + x;
                if (column >= component->blocks_per_row) {
                    mcu->blocks[n] = (coefficient_block){{0}};
                    continue;
                }
                uint8_t *out = rows + offsets[c] + (size_t)(y * component->block_size) * strides[c]
                    + (size_t)(column * component->block_size);
                if (!write_block_samples(component, &mcu->blocks[n], mcu->coefficient_counts[n], out, strides[c]))
                    return false;
            }
        }
    }
    return true;
}

// All blocks of an MCU are decoded before the first is transformed. A vector load of coefficients that were just stored
// one by one would stall.
bool prep_decode_sequential_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    scan_state *scan = decoder->scans;
    mcu_coefficients mcu = {0};
    for (int32_t index = 0; index < decoder->mcus_per_row; index++, scan->mcus_until_restart--) {
        if (scan->mcus_until_restart == 0 && !consume_restart_marker(scan, bytes)) return false;
        if (!decode_mcu(scan, bytes, &mcu) || !write_mcu_samples(decoder, &mcu, index, rows, offsets, strides))
            return false;
    }
    return true;
}
