// Progressive decoding: several scans that each code a part of every block, decoded side by side in rows of MCUs.
#include <string.h>

#include "decoder.h"

enum { MAX_ENTRY_BITS = 30 }; // the bits of a code with its value, or with a number of blocks

// Decodes the DC coefficient of a block without its low bits, or one of these bits.
ALWAYS_INLINE bool decode_dc_coefficient(
    bit_reader *reader, const uint8_t *bytes, const scan_state *scan, scan_component_state *component,
    coefficient_block *block) {
    if (reader->bit_count < MAX_ENTRY_BITS) refill(reader, bytes);
    if (scan->is_refinement) {
        block->values[0] |= (int16_t)(reader->bits >> 63 << scan->approximation_low);
        consume_bits(reader, 1);
    } else {
        int32_t difference;
        if (UNLIKELY(!decode_dc_difference(reader, component->dc_table, &difference))) return false;
        component->dc_predictor += difference;
        const int32_t limit = 2047 >> scan->approximation_low;
        if (UNLIKELY(component->dc_predictor > limit || component->dc_predictor < -limit)) return false;
        block->values[0] = (int16_t)(component->dc_predictor * (1 << scan->approximation_low));
    }
    return reader->bit_count >= 0;
}

// Decodes the DC coefficients of all blocks of one interleaved MCU.
ALWAYS_INLINE bool decode_dc_mcu(
    prep_jpeg_fast_decoder *decoder, scan_state *scan, const uint8_t *bytes, int32_t index) {
    bit_reader reader = scan->reader;
    for (int32_t i = 0; i < scan->component_count; i++) {
        scan_component_state *component = &scan->components[i];
        const coefficient_row_buffer *rows = &decoder->row_buffers[component->component_index];
        for (int32_t y = 0; y < component->vertical_sampling; y++) {
            coefficient_block *block = rows->blocks + y * rows->blocks_per_row + index * component->horizontal_sampling;
            for (int32_t x = 0; x < component->horizontal_sampling; x++) {
                if (!decode_dc_coefficient(&reader, bytes, scan, component, block + x)) return false;
            }
        }
    }
    scan->reader = reader;
    return true;
}

// Decodes the high bits of AC coefficients of one block.
ALWAYS_INLINE bool decode_ac_first_scan(
    bit_reader *reader, uint32_t *eob_run, const uint8_t *bytes, const scan_state *scan, coefficient_block *block,
    uint64_t *nonzero) {
    if (*eob_run > 0) {
        --*eob_run;
        return true;
    }
    const ac_huffman_table *table = scan->components[0].ac_table;
    int32_t k = scan->spectral_start - 1;
    while (k < scan->spectral_end) {
        if (reader->bit_count < MAX_ENTRY_BITS) refill(reader, bytes);
        huffman_value_entry entry = table->value_lookup[reader->bits >> (64 - VALUE_LOOKUP_BITS)];
        if (UNLIKELY(entry == CODE_EXCEEDS_LOOKUP)) {
            entry = prep_find_huffman_value(table, reader->bits);
            if (entry == 0) return false;
        }
        consume_bits(reader, (uint32_t)value_entry_length(entry));
        const int32_t value = value_entry_coefficient(entry);
        if (value_entry_advance(entry) == END_OF_BLOCK >> 8) {
            *eob_run = (uint32_t)value;
            break;
        }
        k += value_entry_advance(entry);
        if (UNLIKELY(k > scan->spectral_end)) return false;
        DEBUG_ASSERT(k >= scan->spectral_start);
        block->values[prep_block_index_of_zigzag[k]] = (int16_t)(value * (1 << scan->approximation_low));
        *nonzero |= (uint64_t)(value != 0) << k;
    }
    return reader->bit_count >= 0;
}

// Decodes one more bit of each coefficient in `positions`, all of which are nonzero.
ALWAYS_INLINE void refine_nonzero_coefficients(
    bit_reader *reader, const uint8_t *bytes, const scan_state *scan, coefficient_block *block, uint64_t positions) {
    for (; positions != 0; positions &= positions - 1) {
        if (reader->bit_count == 0) refill(reader, bytes);
        int16_t *value = &block->values[prep_block_index_of_zigzag[__builtin_ctzll(positions)]];
        const int32_t sign = *value >> 15, bit = (int32_t)(reader->bits >> 63 << scan->approximation_low);
        *value = (int16_t)(*value + ((bit ^ sign) - sign));
        consume_bits(reader, 1);
    }
}

// Decodes one more bit of the AC coefficients of one block. Codes are for coefficients that become nonzero. The bits
// of coefficients that were nonzero before stand between the codes.
ALWAYS_INLINE bool decode_ac_refinement(
    bit_reader *reader, uint32_t *eob_run, const uint8_t *bytes, const scan_state *scan, coefficient_block *block,
    uint64_t *nonzero) {
    const ac_huffman_table *table = scan->components[0].ac_table;
    const uint64_t previously_nonzero = *nonzero;
    uint64_t remaining_mask = (UINT64_C(2) << scan->spectral_end) - (UINT64_C(1) << scan->spectral_start);
    while (remaining_mask != 0 && *eob_run == 0) {
        if (reader->bit_count < MAX_ENTRY_BITS) refill(reader, bytes);
        huffman_code_entry entry = table->code_lookup[reader->bits >> (64 - CODE_LOOKUP_BITS)];
        if (UNLIKELY(entry == 0)) entry = prep_find_huffman_code(&table->code, reader->bits);
        if (UNLIKELY(entry == 0)) return false;
        const int32_t length = code_entry_length(entry), zeros = code_entry_symbol(entry) >> 4,
                      size = code_entry_symbol(entry) & 15;
        if (size == 0 && zeros < 15) {
            *eob_run = decode_eob_run(reader->bits, length, zeros) + 1;
            consume_bits(reader, (uint32_t)(length + zeros));
            break;
        }
        const int32_t step =
            (int64_t)(reader->bits << length) < 0 ? 1 << scan->approximation_low : -(1 << scan->approximation_low);
        consume_bits(reader, (uint32_t)(length + size));
        uint64_t zero_mask = remaining_mask & ~previously_nonzero;
        for (int32_t i = 0; i < zeros; i++) zero_mask &= zero_mask - 1;
        if (UNLIKELY(zero_mask == 0)) return false;
        const uint64_t position_mask = zero_mask & -zero_mask, skipped_mask = position_mask - 1;
        refine_nonzero_coefficients(reader, bytes, scan, block, remaining_mask & previously_nonzero & skipped_mask);
        if (size == 1) {
            block->values[prep_block_index_of_zigzag[__builtin_ctzll(position_mask)]] = (int16_t)step;
            *nonzero |= position_mask;
        }
        remaining_mask &= ~(position_mask | skipped_mask);
    }
    if (*eob_run > 0) {
        refine_nonzero_coefficients(reader, bytes, scan, block, remaining_mask & previously_nonzero);
        --*eob_run;
    }
    return reader->bit_count >= 0;
}

typedef enum { DC_SCAN, AC_FIRST_SCAN, AC_REFINEMENT_SCAN } scan_kind;

// Decodes one row of blocks in a scan of a single component. `part` is a constant where this is inlined, and the state
// that changes with each block stays in registers.
ALWAYS_INLINE bool decode_blocks(
    scan_kind part, scan_state *scan, const uint8_t *bytes, int32_t count, coefficient_block *blocks,
    uint64_t *nonzero) {
    bit_reader reader = scan->reader;
    uint32_t eob_run = scan->eob_run;
    for (int32_t x = 0; x < count; x++, scan->mcus_until_restart--) {
        if (UNLIKELY(scan->mcus_until_restart == 0)) {
            scan->reader = reader;
            if (!consume_restart_marker(scan, bytes)) return false;
            reader = scan->reader;
            eob_run = scan->eob_run;
        }
        const bool is_read =
            part == DC_SCAN
            ? decode_dc_coefficient(&reader, bytes, scan, &scan->components[0], &blocks[x])
            : part == AC_FIRST_SCAN ? decode_ac_first_scan(&reader, &eob_run, bytes, scan, &blocks[x], &nonzero[x])
                                   : decode_ac_refinement(&reader, &eob_run, bytes, scan, &blocks[x], &nonzero[x]);
        if (UNLIKELY(!is_read)) return false;
    }
    scan->reader = reader;
    scan->eob_run = eob_run;
    return true;
}

static bool decode_noninterleaved_block_row(
    scan_state *scan, const uint8_t *bytes, int32_t count, coefficient_block *blocks, uint64_t *nonzero) {
    if (scan->spectral_start == 0) return decode_blocks(DC_SCAN, scan, bytes, count, blocks, nonzero);
    if (!scan->is_refinement) return decode_blocks(AC_FIRST_SCAN, scan, bytes, count, blocks, nonzero);
    return decode_blocks(AC_REFINEMENT_SCAN, scan, bytes, count, blocks, nonzero);
}

// Returns the number of block rows of a component in the next row of MCUs.
static int32_t block_rows_in_mcu_row(const prep_jpeg_fast_decoder *decoder, int32_t c) {
    const component_state *component = &decoder->components[c];
    const int32_t remaining_rows = component->block_row_count - decoder->next_mcu_row * component->vertical_sampling;
    return remaining_rows < component->vertical_sampling ? remaining_rows : component->vertical_sampling;
}

// Decodes the next row of MCUs of a scan. A scan of a single component has only the blocks with samples, row by row.
static bool decode_scan_mcu_row(
    prep_jpeg_fast_decoder *decoder, scan_state *scan, const uint8_t *bytes) {
    if (scan->component_count == 1) {
        const int32_t c = scan->components[0].component_index;
        const coefficient_row_buffer *rows = &decoder->row_buffers[c];
        for (int32_t y = 0; y < block_rows_in_mcu_row(decoder, c); y++) {
            const int32_t first = y * rows->blocks_per_row, count = decoder->components[c].blocks_per_row;
            if (!decode_noninterleaved_block_row(
                    scan, bytes, count, rows->blocks + first, rows->nonzero_masks + first)) return false;
        }
        return true;
    }
    for (int32_t index = 0; index < decoder->mcus_per_row; index++, scan->mcus_until_restart--) {
        if (scan->mcus_until_restart == 0 && !consume_restart_marker(scan, bytes)) return false;
        if (!decode_dc_mcu(decoder, scan, bytes, index)) return false;
    }
    return true;
}

static bool write_component_rows(
    const prep_jpeg_fast_decoder *decoder, int32_t c, uint8_t *out, size_t stride) {
    const component_state *component = &decoder->components[c];
    const coefficient_row_buffer *rows = &decoder->row_buffers[c];
    for (int32_t y = 0; y < block_rows_in_mcu_row(decoder, c); y++) {
        for (int32_t x = 0; x < component->blocks_per_row; x++) {
            const int32_t i = y * rows->blocks_per_row + x, count = 64 - __builtin_clzll(rows->nonzero_masks[i] | 1);
            uint8_t *samples =
                out + (size_t)(y * component->block_size) * stride + (size_t)(x * component->block_size);
            if (UNLIKELY(!write_block_samples(component, &rows->blocks[i], count, samples, stride))) return false;
        }
    }
    return true;
}

bool prep_decode_progressive_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *out, const size_t *offsets, const size_t *strides) {
    for (int32_t c = 0; c < decoder->component_count; c++) {
        const coefficient_row_buffer *rows = &decoder->row_buffers[c];
        const size_t count = (size_t)(rows->blocks_per_row * decoder->components[c].vertical_sampling);
        memset(rows->nonzero_masks, 0, count * sizeof *rows->nonzero_masks);
    }
    for (int32_t i = 0; i < decoder->scan_count; i++) {
        if (!decode_scan_mcu_row(decoder, &decoder->scans[i], bytes)) return false;
    }
    for (int32_t c = 0; c < decoder->component_count; c++) {
        if (!write_component_rows(decoder, c, out + offsets[c], strides[c])) return false;
    }
    return true;
}
