// A fast decoder for the most common kinds of JPEG: sequential with one interleaved scan, and progressive. Its samples
// are bit-identical to those of the accurate integer DCT in libjpeg-turbo's SIMD code. libjpeg's C code differs where
// samples are out of range by several times the range: it keeps their lowest bits, and SIMD code saturates. The decoder
// does not tolerate anomalies: it stops at the first one, and the file is then decoded by libjpeg, which can interpret
// it.
//
// A component can be decoded at half size, to 4 by 4 samples a block. Each is the average of 2 by 2 samples, with the
// rounding of libjpeg's transform for a scale of one half. Or it is decoded to one sample a block, an eighth of the DC
// coefficient, as by libjpeg for a scale of one eighth: the mean of the block before its samples are limited to their
// range.
//
// The scans of a progressive file are decoded side by side, one row of MCUs at a time. So only the coefficients of one
// row of MCUs are in memory. Other decoders keep those of the whole image, 2 bytes a sample.
// Source: ITU-T T.81, annexes A, F and G; for the transform, the algorithm of Loeffler, Ligtenberg and Moschytz (1989)
// with the fixed-point constants of the Independent JPEG Group's jidctint, and jidctred at half size.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_JPEG_FAST_MAX_COMPONENTS = 3, PREP_JPEG_FAST_MAX_QUANTIZATION_STEP = 4095 };

// A Huffman table as in the file: the number of codes of each length, and the symbols in the order of the codes.
typedef struct {
    uint8_t code_counts[16];
    uint8_t symbols[256];
} prep_jpeg_fast_huffman_table;

typedef struct {
    int32_t horizontal_sampling, vertical_sampling; // sampling factors, 1 to 4; both 1 for a single component
    int32_t blocks_per_row, block_row_count;        // blocks with samples; MCUs may have more at the edges
    int32_t block_size;                             // the samples in a row of a block: 8, 4 or 1
    uint16_t quantization_table[64];                // in zigzag order; at most PREP_JPEG_FAST_MAX_QUANTIZATION_STEP
} prep_jpeg_fast_component;

// One scan. The scan of a sequential file codes all components, coefficients and bits.
typedef struct {
    int32_t component_count;
    int32_t component_indices[PREP_JPEG_FAST_MAX_COMPONENTS]; // indices in the image's components, ascending
    int32_t spectral_start, spectral_end;                     // coefficients in zigzag order, both included
    bool is_refinement;                                       // adds one bit to the coefficients of earlier scans
    int32_t approximation_low;                                // the number of low bits that are not coded
    prep_jpeg_fast_huffman_table dc_tables[PREP_JPEG_FAST_MAX_COMPONENTS],
        ac_tables[PREP_JPEG_FAST_MAX_COMPONENTS]; // only the tables that the scan needs are set
    uint32_t restart_interval;   // in MCUs; 0 for none
    size_t data_start, data_end; // the range of the entropy-coded data, up to the marker after it
} prep_jpeg_fast_scan;

typedef struct {
    int32_t component_count;
    prep_jpeg_fast_component components[PREP_JPEG_FAST_MAX_COMPONENTS];
    int32_t mcus_per_row; // of a scan with all components
    bool is_progressive;
} prep_jpeg_fast_image;

typedef struct prep_jpeg_fast_decoder prep_jpeg_fast_decoder;

// The instructions that the transform uses. The samples, and the files that are rejected, are the same for all.
typedef enum { PREP_JPEG_FAST_PORTABLE, PREP_JPEG_FAST_AVX2, PREP_JPEG_FAST_NEON } prep_jpeg_fast_instruction_set;

// Returns whether this processor is little-endian with 64-bit addresses. The decoder does not support others.
bool prep_jpeg_fast_decoder_is_available(void);

// Creates a decoder for a sequential image with its one scan, or a progressive image with all its scans. Together the
// scans must code every bit of every coefficient once, from the highest bit down. Returns NULL if a size, an index, a
// sampling factor or a table is invalid, an allocation fails, the decoder is not available, or this build or processor
// does not have the instruction set.
prep_jpeg_fast_decoder *_Nullable prep_jpeg_fast_decoder_create(
    const prep_jpeg_fast_image *_Nonnull image, const prep_jpeg_fast_scan *_Nonnull scans, int32_t scan_count,
    prep_jpeg_fast_instruction_set instruction_set);
void prep_jpeg_fast_decoder_destroy(prep_jpeg_fast_decoder *_Nonnull decoder);

// Decodes the next row of MCUs. Writes `vertical_sampling * block_size` rows of `blocks_per_row * block_size` samples
// for each component, the first at `rows + offsets[c]` and the others `strides[c]` bytes apart. Rows below the last
// block may be left unwritten.
//
// `bytes` is the whole file. Each scan is read only up to its `data_end`. Returns false at the first anomaly; the
// decoder must then only be destroyed.
bool prep_jpeg_fast_decoder_read_mcu_row(
    prep_jpeg_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows,
    const size_t *_Nonnull offsets, const size_t *_Nonnull strides);

// Lets another thread parse the rows that remain of a sequential image, while `prep_jpeg_fast_decoder_read_mcu_row`
// only transforms them, with the same results. That thread must then call `prep_jpeg_fast_decoder_parse_ahead`. Returns
// false, and changes nothing, for a progressive image, without remaining rows, if parsing ahead was begun before, or if
// an allocation fails.
bool prep_jpeg_fast_decoder_begin_parsing_ahead(prep_jpeg_fast_decoder *_Nonnull decoder);

// Parses the remaining rows. Returns at the end of the image, at the first anomaly, or when the decoder is being
// destroyed, which waits for that. `bytes` is the whole file.
void prep_jpeg_fast_decoder_parse_ahead(prep_jpeg_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes);

// Undoes `prep_jpeg_fast_decoder_begin_parsing_ahead`, if there is no other thread.
void prep_jpeg_fast_decoder_cancel_parsing_ahead(prep_jpeg_fast_decoder *_Nonnull decoder);

// Returns whether all rows were read, and the data of every scan ended exactly after its last MCU.
bool prep_jpeg_fast_decoder_has_consumed_all(const prep_jpeg_fast_decoder *_Nonnull decoder);
