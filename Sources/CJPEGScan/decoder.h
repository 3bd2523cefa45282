// What sequential and progressive decoding share. Private to the scan decoder.
#pragma once

#include "bit_source.h"
#include "huffman.h"
#include "jpeg_scan.h"
#include "transform.h"

enum { MOST_BLOCKS = 10 }; // of an MCU: T.81, B.2.3

typedef struct {
    int32_t horizontal, vertical, blocks_across, blocks_down;
    coefficient_block steps; // of the quantization, in the order of a block
} component;

// A component as one scan has it.
typedef struct {
    int32_t index, horizontal, vertical;
    int32_t predictor; // the last block's first coefficient
    const dc_table *dc;
    const ac_table *ac;
} scan_component;

// One scan, and how far it is read.
typedef struct {
    bit_source source;
    int32_t component_count, first, last, low_bits;
    bool refines;
    uint8_t next_restart;
    uint32_t restart_interval, until_restart; // without restarts more MCUs than there are
    uint32_t run;                             // of blocks to come in which the scan gives nothing new
    scan_component components[PREP_SCAN_MAX_COMPONENTS];
} scan;

// The coefficients of a component in one row of MCUs, and for each block which of them are not zero, by their place in
// zigzag order; the first is left out.
typedef struct {
    coefficient_block *blocks;
    uint64_t *nonzero;
    int32_t across;
} coefficient_rows;

struct prep_scan_decoder {
    int32_t component_count, mcus_across, scan_count;
    bool is_progressive;
    component components[PREP_SCAN_MAX_COMPONENTS];
    scan *scans;
    dc_table *dc_tables;
    ac_table *ac_tables;
    // Of a progressive picture:
    coefficient_rows rows[PREP_SCAN_MAX_COMPONENTS];
    int32_t next_row; // of MCUs
};

#if defined(__x86_64__)
// The first coefficient's difference from that of the block before; false if there is no such code.
INLINE bool take_difference(bit_source *source, const dc_table *table, int32_t *difference) {
    code_entry entry = table->lookup[source->bits >> (64 - CODE_LOOKUP_BITS)];
    if (UNLIKELY(entry == 0)) entry = prep_find_code(&table->code, source->bits);
    const int32_t length = code_length(entry), size = code_symbol(entry);
    *difference = extend(source->bits, length, size);
    take(source, (uint32_t)(length + size));
    return entry != 0;
}

// Between two restart intervals stands a marker, and before it less than a byte of padding.
static inline bool restart(scan *scan, const uint8_t *bytes) {
    bit_source *source = &scan->source;
    if (source->count >= 8 || source->end - source->position < 2) return false;
    if (bytes[source->position] != 0xFF || bytes[source->position + 1] != 0xD0 + scan->next_restart) return false;
    source->position += 2;
    source->bits = 0;
    source->count = 0;
    scan->next_restart = (scan->next_restart + 1) & 7;
    scan->until_restart = scan->restart_interval;
    scan->run = 0;
    for (int32_t i = 0; i < scan->component_count; i++) scan->components[i].predictor = 0;
    return true;
}

// The samples of a block of which `count` coefficients in zigzag order were read.
INLINE bool write_block(
    const component *component, const coefficient_block *block, int32_t count, uint8_t *out, size_t stride) {
    if (count > PREP_SPARSE_COUNT) return prep_transform_block(block, &component->steps, out, stride);
    if (count > 1) return prep_transform_sparse_block(block, &component->steps, out, stride);
    const int32_t dc = block->values[0] * component->steps.values[0];
    if (UNLIKELY(dc > PREP_BLOCK_LIMIT || dc < -PREP_BLOCK_LIMIT)) return false;
    prep_fill_block(dc, out, stride);
    return true;
}

bool prep_read_sequential_row(
    prep_scan_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides);
bool prep_read_progressive_row(
    prep_scan_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides);
#endif
