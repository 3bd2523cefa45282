// The two halves of sequential decoding: parsing of entropy-coded data to blocks, and their transform to samples.
// Private to the fast decoder.
#pragma once

#include "decoder.h"

// A block that is parsed, and then transformed, which sets its coefficients to zero again. The value after them belongs
// to no coefficient.
typedef union {
    coefficient_block coefficients;
    struct {
        int16_t values[64 + 1];
        uint8_t end; // the number of coefficients + 1, and PAIR_ENDS_BLOCK
        const coefficient_pair *dc_pairs, *ac_pairs;
        scan_component_state *component;
    };
} sequential_block;

// Initializes the blocks of `count` MCUs, and one more block, which marks their end.
void prep_init_mcus(prep_jpeg_fast_decoder *decoder, sequential_block *blocks, int32_t count);

// Parses the next `count` MCUs, with the restart markers before and between them. Returns false at an anomaly.
bool prep_parse_mcus(prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, sequential_block *blocks, int32_t count);

// Writes the samples of `count` MCUs, from the one with the index `first` in its row on. The rows are those of
// `prep_jpeg_fast_decoder_read_mcu_row`. Returns false if a block is out of the transform's range. Reads nothing of the
// decoder that parsing changes.
bool prep_write_mcus(
    const prep_jpeg_fast_decoder *decoder, sequential_block *blocks, int32_t first, int32_t count, uint8_t *rows,
    const size_t *offsets, const size_t *strides);
