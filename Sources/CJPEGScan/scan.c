#include <stdlib.h>
#include <string.h>

#include "huffman.h"
#include "jpeg_scan.h"
#include "transform.h"

typedef struct {
    int32_t horizontal, vertical, blocks_across;
    int32_t predictor; // the last block's first coefficient
    coefficient_block steps; // of the quantization, in the order of a block
    huffman_table dc, ac;
} component;

// The data's next bits, from the highest down. Behind the end, and at a marker, there are only zeros: `count` then falls
// below 0 as they are used.
typedef struct {
    uint64_t bits;
    int32_t count;
    size_t position, end;
} bit_source;

struct prep_scan {
    bit_source source;
    int32_t component_count, mcus_across;
    uint32_t restart_interval, until_restart;
    uint8_t next_restart;
    component components[PREP_SCAN_MAX_COMPONENTS];
};

bool prep_scan_is_available(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
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
    for (int32_t c = 0; c < layout->component_count; c++) {
        const prep_scan_component *stated = &layout->components[c];
        component *own = &scan->components[c];
        own->horizontal = stated->horizontal;
        own->vertical = stated->vertical;
        own->blocks_across = stated->blocks_across;
        for (int k = 0; k < 64; k++) own->steps.values[prep_block_place[k]] = (int16_t)stated->quantization[k];
        if (!prep_huffman_init(&own->dc, &stated->dc, true) || !prep_huffman_init(&own->ac, &stated->ac, false)) {
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

// At least 56 bits, if there are so many: enough for two codes with their values.
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

// A code that is longer than the lookup, as an entry; 0 if the bits are none.
INLINE lookup_entry find_long_code(const huffman_table *table, uint64_t bits) {
    const uint32_t sixteen = (uint32_t)(bits >> 48);
    int32_t length = LOOKUP_BITS + 1;
    while (sixteen >= table->limit[length]) length++;
    if (length > 16) return 0;
    const int32_t index = table->first_symbol[length] + (int32_t)(bits >> (64 - length));
    return index < 0 || index > 255 ? 0 : make_entry(length, table->symbols[index]);
}

// Takes a code and the value behind it; an entry of 0 says that there is no such code.
//
// The value is found without branches, which could not be foreseen: bits that begin with 1 are a positive number, others
// a negative one less all ones. Source: T.81, F.2.2.1, EXTEND.
INLINE lookup_entry take(bit_source *source, const huffman_table *table, int32_t *value) {
    lookup_entry entry = table->lookup[source->bits >> (64 - LOOKUP_BITS)];
    if (UNLIKELY(entry == 0)) entry = find_long_code(table, source->bits);
    const int32_t length = entry_length(entry), size = entry_size(entry);
    const uint64_t rest = source->bits << (length - size);
    const int32_t ones = (int32_t)(((uint64_t)1 << size) - 1);
    *value = (int32_t)(rest >> 1 >> (63 - size)) - (ones & ~(int32_t)((int64_t)rest >> 63));
    source->bits <<= length;
    source->count -= length;
    return entry;
}

typedef enum { MORE, END, ODD } progress;

// One coefficient behind the first, and the zeros before it.
INLINE progress take_coefficient(
    bit_source *source, const huffman_table *table, coefficient_block *block, int32_t *k, int32_t *last) {
    int32_t value;
    const lookup_entry entry = take(source, table, &value);
    *k += entry_run(entry);
    if (entry_size(entry) == 0) {
        if (entry_run(entry) == 0) return entry == 0 ? ODD : END;
        if (entry_run(entry) != 15) return ODD; // reserved in a baseline scan
        *k += 1;
        return *k < 64 ? MORE : END;
    }
    if (UNLIKELY(*k > 63)) return ODD;
    block->values[prep_block_place[*k]] = (int16_t)value;
    *last = *k += 1;
    return *k < 64 ? MORE : END;
}

// One block's coefficients, as they are coded. Returns how many were read in zigzag order, the first alone being 1; 0 at
// an oddity.
INLINE int32_t read_block(bit_source *source, const uint8_t *bytes, component *component, coefficient_block *block) {
    int32_t difference, k = 1, last = 1;
    refill(source, bytes);
    if (UNLIKELY(take(source, &component->dc, &difference) == 0)) return 0;
    component->predictor += difference;
    if (UNLIKELY(component->predictor > 2047 || component->predictor < -2047)) return 0;
    block->values[0] = (int16_t)component->predictor;
    progress progress = take_coefficient(source, &component->ac, block, &k, &last);
    while (progress == MORE) {
        refill(source, bytes);
        progress = take_coefficient(source, &component->ac, block, &k, &last);
        if (progress == MORE) progress = take_coefficient(source, &component->ac, block, &k, &last);
    }
    return source->count < 0 || progress == ODD ? 0 : last;
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

// All blocks of one component in one MCU.
INLINE bool read_blocks(
    bit_source *source, const uint8_t *bytes, component *component, int32_t mcu, uint8_t *rows, size_t stride) {
    for (int32_t y = 0; y < component->vertical; y++) {
        for (int32_t x = 0; x < component->horizontal; x++) {
            coefficient_block block = {{0}};
            const int32_t count = read_block(source, bytes, component, &block);
            if (UNLIKELY(count == 0)) return false;
            const int32_t column = mcu * component->horizontal + x;
            if (column >= component->blocks_across) continue;
            uint8_t *out = rows + (size_t)y * 8 * stride + (size_t)column * 8;
            if (UNLIKELY(!write_block(component, &block, count, out, stride))) return false;
        }
    }
    return true;
}

FAST bool prep_scan_read_row(
    prep_scan *scan, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    for (int32_t mcu = 0; mcu < scan->mcus_across; mcu++) {
        if (scan->restart_interval > 0 && scan->until_restart == 0 && !restart(scan, bytes)) return false;
        bit_source source = scan->source;
        for (int32_t c = 0; c < scan->component_count; c++) {
            if (!read_blocks(&source, bytes, &scan->components[c], mcu, rows + offsets[c], strides[c])) return false;
        }
        scan->source = source;
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
