// Scans that each give a part of every block: side by side, a row of MCUs from each.
#include <string.h>

#include "decoder.h"

#if defined(__x86_64__)
enum { LONGEST_ENTRY = 30 }; // bits of a code and its value, or number of blocks

// The first coefficient of a block, without its low bits, or one bit of them.
INLINE bool read_first_coefficient(
    bit_source *source, const uint8_t *bytes, const scan *scan, scan_component *component, coefficient_block *block) {
    if (source->count < LONGEST_ENTRY) refill(source, bytes);
    if (scan->refines) {
        block->values[0] |= (int16_t)(source->bits >> 63 << scan->low_bits);
        take(source, 1);
    } else {
        int32_t difference;
        if (UNLIKELY(!take_difference(source, component->dc, &difference))) return false;
        component->predictor += difference;
        const int32_t limit = 2047 >> scan->low_bits;
        if (UNLIKELY(component->predictor > limit || component->predictor < -limit)) return false;
        block->values[0] = (int16_t)(component->predictor * (1 << scan->low_bits));
    }
    return source->count >= 0;
}

// The first coefficients of all blocks of one MCU of several components.
INLINE bool read_mcu(prep_scan_decoder *decoder, scan *scan, const uint8_t *bytes, int32_t index) {
    bit_source source = scan->source;
    for (int32_t i = 0; i < scan->component_count; i++) {
        scan_component *component = &scan->components[i];
        const coefficient_rows *rows = &decoder->rows[component->index];
        for (int32_t y = 0; y < component->vertical; y++) {
            coefficient_block *block = rows->blocks + y * rows->across + index * component->horizontal;
            for (int32_t x = 0; x < component->horizontal; x++) {
                if (!read_first_coefficient(&source, bytes, scan, component, block + x)) return false;
            }
        }
    }
    scan->source = source;
    return true;
}

// The highest bits of coefficients behind the first, in one block.
INLINE bool read_highest_bits(
    bit_source *source, uint32_t *run, const uint8_t *bytes, const scan *scan, coefficient_block *block,
    uint64_t *nonzero) {
    if (*run > 0) {
        --*run;
        return true;
    }
    const ac_table *table = scan->components[0].ac;
    int32_t k = scan->first - 1;
    while (k < scan->last) {
        if (source->count < LONGEST_ENTRY) refill(source, bytes);
        value_entry entry = table->values[source->bits >> (64 - VALUE_LOOKUP_BITS)];
        if (UNLIKELY(entry == LONG_CODE)) {
            entry = prep_find_value(table, source->bits);
            if (entry == 0) return false;
        }
        take(source, (uint32_t)value_length(entry));
        const int32_t value = value_itself(entry);
        if (value_advance(entry) == END_OF_BLOCK >> 8) {
            *run = (uint32_t)value;
            break;
        }
        k += value_advance(entry);
        if (UNLIKELY(k > scan->last)) return false;
        block->values[prep_block_place[k]] = (int16_t)(value * (1 << scan->low_bits));
        *nonzero |= (uint64_t)(value != 0) << k;
    }
    return source->count >= 0;
}

// A further bit of each coefficient in `positions`, none of which is zero.
INLINE void add_bits(
    bit_source *source, const uint8_t *bytes, const scan *scan, coefficient_block *block, uint64_t positions) {
    for (; positions != 0; positions &= positions - 1) {
        if (source->count == 0) refill(source, bytes);
        int16_t *value = &block->values[prep_block_place[__builtin_ctzll(positions)]];
        const int32_t sign = *value >> 15, bit = (int32_t)(source->bits >> 63 << scan->low_bits);
        *value = (int16_t)(*value + ((bit ^ sign) - sign));
        take(source, 1);
    }
}

// Codes for coefficients that were zero so far and are now one step from it; between them a further bit of those that were not.
INLINE bool refine(
    bit_source *source, uint32_t *run, const uint8_t *bytes, const scan *scan, coefficient_block *block, uint64_t *nonzero) {
    const ac_table *table = scan->components[0].ac;
    const uint64_t known = *nonzero;
    uint64_t ahead = (UINT64_C(2) << scan->last) - (UINT64_C(1) << scan->first);
    while (ahead != 0 && *run == 0) {
        if (source->count < LONGEST_ENTRY) refill(source, bytes);
        code_entry entry = table->codes[source->bits >> (64 - CODE_LOOKUP_BITS)];
        if (UNLIKELY(entry == 0)) entry = prep_find_code(&table->code, source->bits);
        if (UNLIKELY(entry == 0)) return false;
        const int32_t length = code_length(entry), zeros = code_symbol(entry) >> 4, size = code_symbol(entry) & 15;
        if (size == 0 && zeros < 15) {
            *run = further_blocks(source->bits, length, zeros) + 1;
            take(source, (uint32_t)(length + zeros));
            break;
        }
        const int32_t step = (int64_t)(source->bits << length) < 0 ? 1 << scan->low_bits : -(1 << scan->low_bits);
        take(source, (uint32_t)(length + size));
        uint64_t free = ahead & ~known;
        for (int32_t i = 0; i < zeros; i++) free &= free - 1;
        if (UNLIKELY(free == 0)) return false;
        const uint64_t place = free & -free, passed = place - 1;
        add_bits(source, bytes, scan, block, ahead & known & passed);
        if (size == 1) {
            block->values[prep_block_place[__builtin_ctzll(place)]] = (int16_t)step;
            *nonzero |= place;
        }
        ahead &= ~(place | passed);
    }
    if (*run > 0) {
        add_bits(source, bytes, scan, block, ahead & known);
        --*run;
    }
    return source->count >= 0;
}

typedef enum { FIRST_COEFFICIENT, HIGHEST_BITS, FURTHER_BIT } part;

// What a scan of a lone component gives of one row of blocks. `part` is known where this is inlined, and what changes with
// each block stays in registers.
INLINE bool read_blocks(
    part part, scan *scan, const uint8_t *bytes, int32_t count, coefficient_block *blocks, uint64_t *nonzero) {
    bit_source source = scan->source;
    uint32_t run = scan->run;
    for (int32_t x = 0; x < count; x++, scan->until_restart--) {
        if (UNLIKELY(scan->until_restart == 0)) {
            scan->source = source;
            if (!restart(scan, bytes)) return false;
            source = scan->source;
            run = scan->run;
        }
        const bool is_read =
            part == FIRST_COEFFICIENT
            ? read_first_coefficient(&source, bytes, scan, &scan->components[0], &blocks[x])
            : part == HIGHEST_BITS ? read_highest_bits(&source, &run, bytes, scan, &blocks[x], &nonzero[x])
                                   : refine(&source, &run, bytes, scan, &blocks[x], &nonzero[x]);
        if (UNLIKELY(!is_read)) return false;
    }
    scan->source = source;
    scan->run = run;
    return true;
}

FAST static bool read_lone_row(
    scan *scan, const uint8_t *bytes, int32_t count, coefficient_block *blocks, uint64_t *nonzero) {
    if (scan->first == 0) return read_blocks(FIRST_COEFFICIENT, scan, bytes, count, blocks, nonzero);
    if (!scan->refines) return read_blocks(HIGHEST_BITS, scan, bytes, count, blocks, nonzero);
    return read_blocks(FURTHER_BIT, scan, bytes, count, blocks, nonzero);
}

// How many rows of blocks a component has in the next row of MCUs.
static int32_t rows_of_blocks(const prep_scan_decoder *decoder, int32_t c) {
    const component *component = &decoder->components[c];
    const int32_t rest = component->blocks_down - decoder->next_row * component->vertical;
    return rest < component->vertical ? rest : component->vertical;
}

// A lone component's blocks come row by row, and only those that hold samples.
FAST static bool read_scan(prep_scan_decoder *decoder, scan *scan, const uint8_t *bytes) {
    if (scan->component_count == 1) {
        const int32_t c = scan->components[0].index;
        const coefficient_rows *rows = &decoder->rows[c];
        for (int32_t y = 0; y < rows_of_blocks(decoder, c); y++) {
            const int32_t first = y * rows->across, count = decoder->components[c].blocks_across;
            if (!read_lone_row(scan, bytes, count, rows->blocks + first, rows->nonzero + first)) return false;
        }
        return true;
    }
    for (int32_t index = 0; index < decoder->mcus_across; index++, scan->until_restart--) {
        if (scan->until_restart == 0 && !restart(scan, bytes)) return false;
        if (!read_mcu(decoder, scan, bytes, index)) return false;
    }
    return true;
}

FAST static bool write_rows(
    const prep_scan_decoder *decoder, int32_t c, uint8_t *out, size_t stride) {
    const component *component = &decoder->components[c];
    const coefficient_rows *rows = &decoder->rows[c];
    for (int32_t y = 0; y < rows_of_blocks(decoder, c); y++) {
        for (int32_t x = 0; x < component->blocks_across; x++) {
            const int32_t i = y * rows->across + x, count = 64 - __builtin_clzll(rows->nonzero[i] | 1);
            uint8_t *samples = out + (size_t)y * 8 * stride + (size_t)x * 8;
            if (UNLIKELY(!write_block(component, &rows->blocks[i], count, samples, stride))) return false;
        }
    }
    return true;
}

FAST bool prep_read_progressive_row(
    prep_scan_decoder *decoder, const uint8_t *bytes, uint8_t *out, const size_t *offsets, const size_t *strides) {
    for (int32_t c = 0; c < decoder->component_count; c++) {
        const coefficient_rows *rows = &decoder->rows[c];
        const size_t count = (size_t)(rows->across * decoder->components[c].vertical);
        memset(rows->blocks, 0, count * sizeof *rows->blocks);
        memset(rows->nonzero, 0, count * sizeof *rows->nonzero);
    }
    for (int32_t i = 0; i < decoder->scan_count; i++) {
        if (!read_scan(decoder, &decoder->scans[i], bytes)) return false;
    }
    for (int32_t c = 0; c < decoder->component_count; c++) {
        if (!write_rows(decoder, c, out + offsets[c], strides[c])) return false;
    }
    decoder->next_row++;
    return true;
}
#endif
