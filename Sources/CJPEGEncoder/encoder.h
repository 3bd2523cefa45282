// Declarations shared by the stages of encoding. Private to the encoder.
#pragma once

#include "bit_writer.h"
#include "block_coding.h"
#include "forward_dct.h"

enum { MAX_BLOCKS_PER_MCU = 10 }; // Source: T.81, B.2.3

typedef struct {
    int32_t horizontal_sampling, vertical_sampling; // sampling factors in the file
    int32_t blocks_per_row, block_row_count;        // blocks with samples; MCUs may have more at the edges
    int32_t first_block;                            // the index in an MCU of its first block
    int32_t dc_predictor;                           // the DC level of the last block
    block_quantizer *quantizer;
    int16_t *coefficients; // of the whole image, or of one row of MCUs
} component_state;

struct prep_jpeg_compact_encoder {
    prep_jpeg_compact_image image;
    int32_t quality;
    component_state components[PREP_JPEG_COMPACT_MAX_COMPONENTS];
    block_quantizer *quantizers; // of luma and chroma
    forward_dct_function *forward_dct;
    code_block_function *code_block;
    uint32_t mcus_per_row, mcu_row_count, next_mcu_row;
    int32_t blocks_per_mcu;
    token *tokens; // of all blocks, in the order of a scan with all components
    size_t token_count, token_capacity;
    uint32_t *block_starts; // for a progressive file, the indices of the blocks' first tokens, in the same order
    uint32_t counts[SYMBOLS];
};

// Ensures room for `count` more tokens. Returns false if the allocation fails.
bool prep_reserve_tokens(token **tokens, size_t token_count, size_t *capacity, size_t count);

// Appends the markers up to the frame header.
void prep_append_file_header(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const uint8_t *icc_profile, size_t icc_byte_count);

// One scan of a progressive file, or all of a baseline file.
typedef struct {
    int32_t first_component, component_count;
    int32_t spectral_start, spectral_end;         // coefficients in zigzag order, both included
    int32_t approximation_high, approximation_low; // the low bits that are not coded before it (0: all), and after it
} scan_description;

// Appends the tables that have symbols, and a scan's header.
void prep_append_scan_header(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan,
    const huffman_table tables[4]);

// In a progressive file, all AC scans use luma's table. In the place of chroma's, tokens are value bits without a code;
// the symbol is their number, 1 to MAX_RAW_BITS.
enum { RAW_BITS = CHROMA_AC, MAX_RAW_BITS = 16 };

// Appends the scan of a baseline file, or all scans of a progressive file.
void prep_append_scan(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan, const token *tokens,
    size_t token_count, const uint32_t counts[SYMBOLS]);
void prep_append_progressive_scans(output_buffer *output, const prep_jpeg_compact_encoder *encoder);
