#include <stdlib.h>
#include <string.h>

#include "bit_source.h"
#include "huffman.h"
#include "jpeg_scan.h"
#include "transform.h"

enum {
    MOST_BLOCKS = 10,  // of an MCU: T.81, B.2.3
    LONGEST_ENTRY = 27 // bits of a code and its value
};

typedef struct {
    int32_t horizontal, vertical, blocks_across;
    int32_t predictor; // the last block's first coefficient
    coefficient_block steps; // of the quantization, in the order of a block
    const dc_table *dc;
    const ac_table *ac;
} component;

struct prep_scan {
    bit_source source;
    int32_t component_count, mcus_across;
    uint32_t restart_interval, until_restart;
    uint8_t next_restart;
    component components[PREP_SCAN_MAX_COMPONENTS];
    dc_table dc[PREP_SCAN_MAX_COMPONENTS];
    ac_table ac[PREP_SCAN_MAX_COMPONENTS];
};

bool prep_scan_is_available(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

// The component's tables. Cb and Cr mostly share theirs, and so their place in the cache.
static bool set_tables(prep_scan *scan, const prep_scan_layout *layout, int32_t c) {
    const prep_scan_component *stated = layout->components;
    int32_t dc = 0, ac = 0;
    while (memcmp(&stated[dc].dc, &stated[c].dc, sizeof stated->dc) != 0) dc++;
    while (memcmp(&stated[ac].ac, &stated[c].ac, sizeof stated->ac) != 0) ac++;
    scan->components[c].dc = &scan->dc[dc];
    scan->components[c].ac = &scan->ac[ac];
    return (dc < c || prep_dc_table_init(&scan->dc[c], &stated[c].dc)) &&
        (ac < c || prep_ac_table_init(&scan->ac[c], &stated[c].ac));
}

prep_scan *prep_scan_create(const prep_scan_layout *layout) {
    prep_scan *scan = aligned_alloc(_Alignof(prep_scan), sizeof *scan);
    if (!scan) return NULL;
    memset(scan, 0, sizeof *scan);
    scan->source.position = layout->start;
    scan->source.end = layout->end;
    scan->component_count = layout->component_count;
    scan->mcus_across = layout->mcus_across;
    scan->restart_interval = scan->until_restart = layout->restart_interval;
    int32_t blocks = 0;
    for (int32_t c = 0; c < layout->component_count; c++) {
        const prep_scan_component *stated = &layout->components[c];
        component *own = &scan->components[c];
        own->horizontal = stated->horizontal;
        own->vertical = stated->vertical;
        own->blocks_across = stated->blocks_across;
        blocks += own->horizontal * own->vertical;
        for (int k = 0; k < 64; k++) own->steps.values[prep_block_place[k]] = (int16_t)stated->quantization[k];
        if (blocks > MOST_BLOCKS || !set_tables(scan, layout, c)) {
            prep_scan_destroy(scan);
            return NULL;
        }
    }
    return scan;
}

void prep_scan_destroy(prep_scan *scan) { free(scan); }

bool prep_scan_is_at_end(const prep_scan *scan) {
    return scan->source.count < 8 && scan->source.position == scan->source.end;
}

#if defined(__x86_64__)
// The first coefficient's difference from that of the block before; false if there is no such code.
INLINE bool take_difference(bit_source *source, const dc_table *table, int32_t *difference) {
    code_entry entry = table->lookup[source->bits >> (64 - DC_LOOKUP_BITS)];
    if (UNLIKELY(entry == 0)) entry = prep_find_code(&table->code, source->bits);
    const int32_t length = code_length(entry), size = code_symbol(entry);
    *difference = extend(source->bits, length, size);
    take(source, (uint32_t)(length + size));
    return entry != 0;
}

// One coefficient behind `k`, which the lookup holds and which isn't the block's last; false if it is another.
INLINE bool take_short(
    bit_source *source, const ac_table *table, coefficient_block *block, int32_t *k, value_entry *entry) {
    *entry = table->lookup[source->bits >> (64 - AC_LOOKUP_BITS)];
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
INLINE int32_t read_block(bit_source *source, const uint8_t *bytes, component *component, coefficient_block *block) {
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

// The samples of a block of which `count` coefficients in zigzag order were read.
INLINE bool write_block(
    const component *component, const coefficient_block *block, int32_t count, uint8_t *out, size_t stride) {
    if (count > 1) return prep_transform_block(block, &component->steps, out, stride);
    const int32_t dc = block->values[0] * component->steps.values[0];
    if (UNLIKELY(dc > PREP_BLOCK_LIMIT || dc < -PREP_BLOCK_LIMIT)) return false;
    prep_fill_block(dc, out, stride);
    return true;
}

// Between two restart intervals stands a marker, and before it less than a byte of padding.
static bool restart(prep_scan *scan, const uint8_t *bytes) {
    bit_source *source = &scan->source;
    if (source->count >= 8 || source->end - source->position < 2) return false;
    if (bytes[source->position] != 0xFF || bytes[source->position + 1] != 0xD0 + scan->next_restart) return false;
    source->position += 2;
    source->bits = 0;
    source->count = 0;
    scan->next_restart = (scan->next_restart + 1) & 7;
    scan->until_restart = scan->restart_interval;
    for (int32_t c = 0; c < scan->component_count; c++) scan->components[c].predictor = 0;
    return true;
}

// The coefficients of all blocks of one MCU, and how many were read of each.
typedef struct {
    coefficient_block blocks[MOST_BLOCKS];
    int32_t counts[MOST_BLOCKS];
} mcu;

INLINE bool read_mcu(prep_scan *scan, const uint8_t *bytes, mcu *mcu) {
    bit_source source = scan->source;
    int32_t n = 0;
    for (int32_t c = 0; c < scan->component_count; c++) {
        component *component = &scan->components[c];
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
    const prep_scan *scan, const mcu *mcu, int32_t index, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    int32_t n = 0;
    for (int32_t c = 0; c < scan->component_count; c++) {
        const component *component = &scan->components[c];
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
FAST bool prep_scan_read_row(
    prep_scan *scan, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    mcu mcu;
    for (int32_t index = 0; index < scan->mcus_across; index++) {
        if (scan->restart_interval > 0 && scan->until_restart == 0 && !restart(scan, bytes)) return false;
        if (!read_mcu(scan, bytes, &mcu) || !write_mcu(scan, &mcu, index, rows, offsets, strides)) return false;
        scan->until_restart--;
    }
    return true;
}
#else
bool prep_scan_read_row(
    prep_scan *scan, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    (void)scan, (void)bytes, (void)rows, (void)offsets, (void)strides;
    return false;
}
#endif
