// A second decoder for the most common kinds of JPEG, in which nothing is odd: baseline with one interleaved scan, and
// progressive. It gives the same samples as libjpeg's accurate integer decode, bit for bit, and knows no tolerance: at
// the first oddity it stops, and libjpeg, which can judge, starts over. Needs AVX2 and BMI2.
//
// The scans of a progressive file are read side by side, each a row of MCUs at a time: so the coefficients of one such
// row are all that is ever held, where others hold the picture's, 2 bytes a sample.
//
// Source: ITU-T T.81, annexes A, F and G; for the transform, the algorithm of Loeffler, Ligtenberg and Moschytz (1989)
// with the fixed-point constants of the Independent JPEG Group's jidctint.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_JPEG_FAST_MAX_COMPONENTS = 3 };

// A Huffman table as a file states it: how many codes of each length, and their symbols in order.
typedef struct {
    uint8_t code_counts[16];
    uint8_t symbols[256];
} prep_jpeg_fast_huffman_table;

typedef struct {
    int32_t horizontal_sampling, vertical_sampling;       // sampling factors, 1 to 4; 1 and 1 for a lone component
    int32_t blocks_per_row, block_row_count; // that hold samples; an MCU may hold more
    uint16_t quantization_table[64];          // in zigzag order
} prep_jpeg_fast_component;

// One scan. A sequential file's holds all components, all coefficients and all bits.
typedef struct {
    int32_t component_count;
    int32_t component_indices[PREP_JPEG_FAST_MAX_COMPONENTS]; // the picture's, by index, ascending
    int32_t spectral_start, spectral_end;                          // coefficients in zigzag order
    bool is_refinement;                                 // adds one bit to what earlier scans gave
    int32_t approximation_low;                             // that it leaves out
    prep_jpeg_fast_huffman_table dc_tables[PREP_JPEG_FAST_MAX_COMPONENTS], ac_tables[PREP_JPEG_FAST_MAX_COMPONENTS]; // those that it needs
    uint32_t restart_interval;                    // in MCUs; 0 for none
    size_t data_start, data_end;                            // of the entropy-coded data, up to the marker behind it
} prep_jpeg_fast_scan;

typedef struct {
    int32_t component_count;
    prep_jpeg_fast_component components[PREP_JPEG_FAST_MAX_COMPONENTS];
    int32_t mcus_per_row; // of all components
    bool is_progressive;
} prep_jpeg_fast_image;

typedef struct prep_jpeg_fast_decoder prep_jpeg_fast_decoder;

// Whether this CPU has the instructions.
bool prep_jpeg_fast_decoder_is_available(void);

// For a sequential picture with its one scan, or a progressive one with all of its own: which together give every
// coefficient, each bit once and from the highest down. NULL if tables are not valid, or there is no memory.
prep_jpeg_fast_decoder *_Nullable prep_jpeg_fast_decoder_create(
    const prep_jpeg_fast_image *_Nonnull image, const prep_jpeg_fast_scan *_Nonnull scans, int32_t scan_count);
void prep_jpeg_fast_decoder_destroy(prep_jpeg_fast_decoder *_Nonnull decoder);

// Decodes the next row of MCUs: `vertical_sampling * 8` rows of each component, `strides[c]` bytes apart, from
// `rows + offsets[c]`, each of `blocks_per_row * 8` samples; those below the last block may be left as they are.
// `bytes` are those of the whole file, of which nothing beyond a scan's `data_end` is read. False at the first oddity;
// the decoder is then of no more use.
bool prep_jpeg_fast_decoder_read_mcu_row(
    prep_jpeg_fast_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows,
    const size_t *_Nonnull offsets, const size_t *_Nonnull strides);

// Whether the data of every scan ended just where its last MCU did.
bool prep_jpeg_fast_decoder_has_consumed_all(const prep_jpeg_fast_decoder *_Nonnull decoder);
