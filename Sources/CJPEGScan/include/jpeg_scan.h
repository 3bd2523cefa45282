// A second decoder for the most common kinds of JPEG, in which nothing is odd: baseline with one interleaved scan, and
// progressive. It gives the same samples as libjpeg's accurate integer decode, bit for bit, and knows no tolerance: at the
// first oddity it stops, and libjpeg, which can judge, starts over. Needs AVX2 and BMI2.
//
// The scans of a progressive file are read side by side, each a row of MCUs at a time: so the coefficients of one such row
// are all that is ever held, where others hold the picture's, 2 bytes a sample.
//
// Source: ITU-T T.81, annexes A, F and G; for the transform, the algorithm of Loeffler, Ligtenberg and Moschytz (1989)
// with the fixed-point constants of the Independent JPEG Group's jidctint.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_SCAN_MAX_COMPONENTS = 3 };

// A Huffman table as a file states it: how many codes of each length, and their symbols in order.
typedef struct {
    uint8_t counts[16];
    uint8_t symbols[256];
} prep_scan_huffman;

typedef struct {
    int32_t horizontal, vertical;       // sampling factors, 1 to 4; 1 and 1 for a lone component
    int32_t blocks_across, blocks_down; // that hold samples; an MCU may hold more
    uint16_t quantization[64];          // in zigzag order
} prep_scan_component;

// One scan. A sequential file's holds all components, all coefficients and all bits.
typedef struct {
    int32_t component_count;
    int32_t components[PREP_SCAN_MAX_COMPONENTS]; // the picture's, by index, ascending
    int32_t first, last;                          // coefficients in zigzag order
    bool refines;                                 // adds one bit to what earlier scans gave
    int32_t low_bits;                             // that it leaves out
    prep_scan_huffman dc[PREP_SCAN_MAX_COMPONENTS], ac[PREP_SCAN_MAX_COMPONENTS]; // those that it needs
    uint32_t restart_interval;                    // in MCUs; 0 for none
    size_t start, end;                            // of the entropy-coded data, up to the marker behind it
} prep_scan;

typedef struct {
    int32_t component_count;
    prep_scan_component components[PREP_SCAN_MAX_COMPONENTS];
    int32_t mcus_across; // of all components
    bool is_progressive;
} prep_scan_picture;

typedef struct prep_scan_decoder prep_scan_decoder;

// Whether this CPU has the instructions.
bool prep_scan_is_available(void);

// For a sequential picture with its one scan, or a progressive one with all of its own: which together give every
// coefficient, each bit once and from the highest down. NULL if tables are not valid, or there is no memory.
prep_scan_decoder *_Nullable prep_scan_decoder_create(
    const prep_scan_picture *_Nonnull picture, const prep_scan *_Nonnull scans, int32_t scan_count);
void prep_scan_decoder_destroy(prep_scan_decoder *_Nonnull decoder);

// Decodes the next row of MCUs: `vertical * 8` rows of each component, `strides[c]` bytes apart, from
// `rows + offsets[c]`, each of `blocks_across * 8` samples; those below the last block may be left as they are. `bytes` are
// those of the whole file, of which nothing beyond a scan's `end` is read. False at the first oddity; the decoder is then
// of no more use.
bool prep_scan_read_row(
    prep_scan_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows,
    const size_t *_Nonnull offsets, const size_t *_Nonnull strides);

// Whether the data of every scan ended just where its last MCU did.
bool prep_scan_is_at_end(const prep_scan_decoder *_Nonnull decoder);
