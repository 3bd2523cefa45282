// Declarations shared by sequential and progressive decoding. Private to the fast decoder.
#pragma once

#include "bit_reader.h"
#include "coefficient_pairs.h"
#include "huffman.h"
#include "jpeg_fast_decoder.h"
#include "inverse_dct.h"

enum { MAX_BLOCKS_PER_MCU = 10 }; // Source: T.81, B.2.3

typedef struct {
    int32_t horizontal_sampling, vertical_sampling, blocks_per_row, block_row_count, block_size;
    inverse_dct_kernels inverse_dct; // for `block_size`
    coefficient_block quantization_steps; // in the order of a block
} component_state;

// The state of a component within one scan.
typedef struct {
    int32_t component_index, horizontal_sampling, vertical_sampling;
    int32_t dc_predictor; // the DC coefficient of the last block
    const dc_huffman_table *dc_table;
    const ac_huffman_table *ac_table;
    const coefficient_pair *dc_pairs, *ac_pairs; // of a sequential scan
} scan_component_state;

// The parameters of one scan and its decoding position.
typedef struct {
    bit_reader reader;
    int32_t component_count, spectral_start, spectral_end, approximation_low;
    bool is_refinement;
    uint8_t next_restart_index;
    uint32_t restart_interval, mcus_until_restart; // without restarts, UINT32_MAX MCUs until the next
    uint32_t eob_run;                              // the following blocks for which the scan codes nothing new
    scan_component_state components[PREP_JPEG_FAST_MAX_COMPONENTS];
} scan_state;

// The coefficients of a component in one row of MCUs. The mask of a block has a bit for each nonzero AC coefficient, by
// its position in zigzag order. Before the first scan the blocks are zero, except that blocks without samples keep a DC
// coefficient, which the first scan replaces.
typedef struct {
    coefficient_block *blocks;
    uint64_t *nonzero_masks;
    int32_t blocks_per_row;
} coefficient_row_buffer;

struct prep_jpeg_fast_decoder {
    int32_t component_count, mcus_per_row, mcu_row_count, scan_count;
    int32_t blocks_per_mcu; // of a scan with all components
    int32_t next_mcu_row;   // the next row of MCUs whose samples are written
    bool is_progressive;
    bool has_bmi2; // whether the processor has BMI2, and the instruction set includes it
    component_state components[PREP_JPEG_FAST_MAX_COMPONENTS];
    scan_state *scans;
    dc_huffman_table *dc_tables;
    ac_huffman_table *ac_tables;
    component_pairs *pairs; // of a sequential scan
    struct parsed_mcu_queue *queue; // while another thread parses a sequential image, otherwise NULL
    coefficient_row_buffer row_buffers[PREP_JPEG_FAST_MAX_COMPONENTS]; // of a progressive image
};

// Decodes the difference of a DC coefficient from that of the previous block. Returns false if there is no such code.
ALWAYS_INLINE bool decode_dc_difference(bit_reader *reader, const dc_huffman_table *table, int32_t *difference) {
    huffman_code_entry entry = table->code_lookup[reader->bits >> (64 - CODE_LOOKUP_BITS)];
    if (entry == 0) entry = prep_find_huffman_code(&table->code, reader->bits);
    const int32_t length = code_entry_length(entry), size = code_entry_symbol(entry);
    *difference = decode_signed_value(reader->bits, length, size);
    consume_bits(reader, (uint32_t)(length + size));
    return entry != 0;
}

// Consumes the restart marker between two restart intervals. Less than a byte of padding precedes it.
static inline bool consume_restart_marker(scan_state *scan, const uint8_t *bytes) {
    bit_reader *reader = &scan->reader;
    if (reader->bit_count >= 8 || reader->end_byte - reader->next_byte < 2) return false;
    if (bytes[reader->next_byte] != 0xFF || bytes[reader->next_byte + 1] != 0xD0 + scan->next_restart_index)
        return false;
    reader->next_byte += 2;
    reader->bits = 0;
    reader->bit_count = 0;
    scan->next_restart_index = (scan->next_restart_index + 1) & 7;
    scan->mcus_until_restart = scan->restart_interval;
    scan->eob_run = 0;
    for (int32_t i = 0; i < scan->component_count; i++) scan->components[i].dc_predictor = 0;
    return true;
}

// Writes the samples of a block of which the first `count` coefficients in zigzag order were read, and sets the block
// to zero.
ALWAYS_INLINE bool write_block_samples(
    const component_state *component, coefficient_block *block, int32_t count, uint8_t *out, size_t stride) {
    if (count > PREP_SPARSE_COEFFICIENT_COUNT)
        return component->inverse_dct.any_block(block, &component->quantization_steps, out, stride);
    if (count > 1) return component->inverse_dct.sparse_block(block, &component->quantization_steps, out, stride);
    const int32_t dc = block->values[0] * component->quantization_steps.values[0];
    if (dc > PREP_MAX_COEFFICIENT_SUM || dc < -PREP_MAX_COEFFICIENT_SUM) return false;
    block->values[0] = 0;
    component->inverse_dct.dc_only_block(dc, out, stride);
    return true;
}

bool prep_decode_sequential_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides);
bool prep_decode_progressive_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides);
