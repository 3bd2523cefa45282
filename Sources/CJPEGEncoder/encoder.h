// Declarations shared by the stages of encoding. Private to the encoder.
#pragma once

#include "bit_writer.h"
#include "block_coding.h"
#include "forward_dct.h"
#include "token_buffer.h"

enum { MAX_BLOCKS_PER_MCU = 10 }; // Source: T.81, B.2.3

typedef struct {
    int32_t horizontal_sampling, vertical_sampling; // sampling factors in the file
    int32_t blocks_per_row, block_row_count;        // blocks with samples; MCUs may have more at the edges
    int32_t first_block;                            // the index in an MCU of its first block
    block_quantizer *quantizer;
    int16_t *coefficients; // of the whole image, if they are kept
} component_state;

// Consecutive rows of MCUs, with their tokens in the order of a scan with all components. The DC predictors of its
// first blocks are 0 until `prep_join_parts` replaces them.
typedef struct {
    uint32_t first_mcu_row, next_mcu_row, end_mcu_row;
    token_buffer tokens;
    uint32_t counts[SYMBOLS];
    int32_t dc_predictors[PREP_JPEG_COMPACT_MAX_COMPONENTS];       // the DC level of the last block
    int32_t first_dc_predictors[PREP_JPEG_COMPACT_MAX_COMPONENTS]; // that of the first block's token
    size_t first_dc_tokens[PREP_JPEG_COMPACT_MAX_COMPONENTS];      // the index of that token
    int16_t *coefficients[PREP_JPEG_COMPACT_MAX_COMPONENTS]; // of one row of MCUs, unless those of the image are kept
} encoder_part;

enum { MAX_PARTS = PREP_JPEG_COMPACT_SECOND_PART + 1 };

struct prep_jpeg_compact_encoder {
    prep_jpeg_compact_image image;
    int32_t quality;
    component_state components[PREP_JPEG_COMPACT_MAX_COMPONENTS];
    block_quantizer *quantizers; // of luma and chroma
    forward_dct_function *forward_dct;
    code_block_function *code_block;
    uint32_t mcus_per_row, mcu_row_count;
    int32_t blocks_per_mcu;
    encoder_part parts[MAX_PARTS];
    int32_t part_count;
    uint32_t *block_starts; // for a progressive file, which is one part: the indices of the blocks' first tokens
};

// Returns whether all rows of the image were added.
bool prep_has_all_rows(const prep_jpeg_compact_encoder *encoder);

// Makes a part begin with the given row, without tokens. Returns false if an allocation fails; the part must then still
// be destroyed.
bool prep_encoder_part_init(
    const prep_jpeg_compact_encoder *encoder, encoder_part *part, uint32_t first_mcu_row, uint32_t end_mcu_row);
void prep_encoder_part_restart(encoder_part *part);
void prep_encoder_part_destroy(encoder_part *part);

// Transforms a row of MCUs, which a part then quantizes to tokens. Returns false if an allocation fails.
void prep_transform_mcu_row(
    const prep_jpeg_compact_encoder *encoder, const encoder_part *part, uint32_t mcu_row,
    const prep_jpeg_compact_rows *components);
bool prep_quantize_mcu_row(const prep_jpeg_compact_encoder *encoder, encoder_part *part, uint32_t mcu_row);

// Replaces the DC differences of the second part's first blocks by those from the first part's last blocks, and adds up
// the counts of all parts.
void prep_join_parts(prep_jpeg_compact_encoder *encoder, uint32_t counts[SYMBOLS]);

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
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan,
    const token_buffer *tokens, int32_t buffer_count, const uint32_t counts[SYMBOLS]);
void prep_append_progressive_scans(output_buffer *output, const prep_jpeg_compact_encoder *encoder);
