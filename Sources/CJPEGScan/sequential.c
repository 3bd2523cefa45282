// One scan of all components, in which each block is complete.
#include "decoder.h"

#if defined(__x86_64__)
enum { LONGEST_ENTRY = 26 }; // bits of a code and its value

// One coefficient behind `k`, which the lookup holds and which isn't the block's last; false if it is another.
INLINE bool take_short(
    bit_source *source, const ac_table *table, coefficient_block *block, int32_t *k, value_entry *entry) {
    *entry = table->values[source->bits >> (64 - VALUE_LOOKUP_BITS)];
    const int32_t next = *k + value_advance(*entry);
    if (next >= 63) return false;
    *k = next;
    block->values[prep_block_place[next]] = (int16_t)value_itself(*entry);
    take(source, *entry);
    return true;
}

typedef enum { MORE, END, ODD } progress;

// The coefficient behind `k` that `take_short` left, or the end of the block.
INLINE progress take_other(
    bit_source *source, const uint8_t *bytes, const ac_table *table, coefficient_block *block, int32_t *k,
    value_entry entry) {
    if (entry == LONG_CODE) {
        if (source->count < LONGEST_ENTRY) refill(source, bytes);
        entry = prep_find_value(table, source->bits);
        if (UNLIKELY(entry == 0)) return ODD;
    }
    take(source, entry);
    trim_count(source);
    const int32_t next = *k + value_advance(entry);
    // Sixteen zeros may go beyond the end, as with libjpeg; a value may not.
    if (next > 63) return value_itself(entry) == 0 ? END : ODD;
    *k = next;
    block->values[prep_block_place[next]] = (int16_t)value_itself(entry);
    return next < 63 ? MORE : END;
}

// One block's coefficients, as they are coded. Returns how many were read in zigzag order, the first alone being 1; 0 at
// an oddity.
INLINE int32_t read_block(bit_source *source, const uint8_t *bytes, scan_component *component, coefficient_block *block) {
    int32_t difference, k = 0;
    refill(source, bytes);
    if (UNLIKELY(!take_difference(source, component->dc, &difference))) return 0;
    component->predictor += difference;
    if (UNLIKELY(component->predictor > 2047 || component->predictor < -2047)) return 0;
    block->values[0] = (int16_t)component->predictor;
    const ac_table *table = component->ac;
    value_entry entry;
    progress progress = MORE;
    // Of the 56 bits that are there the first coefficient leaves 29, enough for two that the lookup holds; later for five.
    bool are_short = take_short(source, table, block, &k, &entry) && take_short(source, table, block, &k, &entry);
    for (;;) {
        trim_count(source);
        // Before the count has fallen so far that its byte can't tell.
        if (UNLIKELY(source->count < 0)) return 0;
        if (!are_short && (progress = take_other(source, bytes, table, block, &k, entry)) != MORE) break;
        refill(source, bytes);
        are_short = take_short(source, table, block, &k, &entry) && take_short(source, table, block, &k, &entry)
            && take_short(source, table, block, &k, &entry) && take_short(source, table, block, &k, &entry)
            && take_short(source, table, block, &k, &entry);
    }
    return source->count < 0 || progress == ODD ? 0 : k + 1;
}

// The coefficients of all blocks of one MCU, and how many were read of each.
typedef struct {
    coefficient_block blocks[MOST_BLOCKS];
    int32_t counts[MOST_BLOCKS];
} mcu;

INLINE bool read_mcu(scan *scan, const uint8_t *bytes, mcu *mcu) {
    bit_source source = scan->source;
    int32_t n = 0;
    for (int32_t c = 0; c < scan->component_count; c++) {
        scan_component *component = &scan->components[c];
        for (int32_t i = 0; i < component->vertical * component->horizontal; i++, n++) {
            mcu->blocks[n] = (coefficient_block){{0}};
            mcu->counts[n] = read_block(&source, bytes, component, &mcu->blocks[n]);
            if (UNLIKELY(mcu->counts[n] == 0)) return false;
        }
    }
    scan->source = source;
    return true;
}

INLINE bool write_mcu(
    const prep_scan_decoder *decoder, const mcu *mcu, int32_t index, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    int32_t n = 0;
    for (int32_t c = 0; c < decoder->component_count; c++) {
        const component *component = &decoder->components[c];
        for (int32_t y = 0; y < component->vertical; y++) {
            for (int32_t x = 0; x < component->horizontal; x++, n++) {
                const int32_t column = index * component->horizontal + x;
                if (column >= component->blocks_across) continue;
                uint8_t *out = rows + offsets[c] + (size_t)y * 8 * strides[c] + (size_t)column * 8;
                if (UNLIKELY(!write_block(component, &mcu->blocks[n], mcu->counts[n], out, strides[c]))) return false;
            }
        }
    }
    return true;
}

// An MCU's blocks are all read before the first is transformed: a vector load of coefficients that were stored singly just
// before would wait for them.
FAST bool prep_read_sequential_row(
    prep_scan_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    scan *scan = decoder->scans;
    mcu mcu;
    for (int32_t index = 0; index < decoder->mcus_across; index++, scan->until_restart--) {
        if (scan->until_restart == 0 && !restart(scan, bytes)) return false;
        if (!read_mcu(scan, bytes, &mcu) || !write_mcu(decoder, &mcu, index, rows, offsets, strides)) return false;
    }
    return true;
}
#endif
