// A second decoder for the most common kind of JPEG: one interleaved baseline scan in which nothing is odd. It gives the
// same samples as libjpeg's accurate integer decode, bit for bit, and knows no tolerance: at the first oddity it stops,
// and libjpeg, which can judge, starts over. Needs AVX2 and BMI2.
//
// Source: ITU-T T.81, annexes A and F; for the transform, the algorithm of Loeffler, Ligtenberg and Moschytz (1989) with
// the fixed-point constants of the Independent JPEG Group's jidctint.
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
    int32_t horizontal, vertical; // sampling factors, 1 to 4; 1 and 1 for a lone component
    int32_t blocks_across;        // blocks that are written; an MCU may hold more
    uint16_t quantization[64];    // in zigzag order
    prep_scan_huffman dc, ac;
} prep_scan_component;

typedef struct {
    int32_t component_count;
    prep_scan_component components[PREP_SCAN_MAX_COMPONENTS];
    int32_t mcus_across;
    uint32_t restart_interval; // in MCUs; 0 for none
    size_t start, end;         // of the entropy-coded data, up to the marker behind it
} prep_scan_layout;

typedef struct prep_scan prep_scan;

// Whether this CPU has the instructions.
bool prep_scan_is_available(void);

// NULL if the tables are not valid, or there is no memory.
prep_scan *_Nullable prep_scan_create(const prep_scan_layout *_Nonnull layout);
void prep_scan_destroy(prep_scan *_Nonnull scan);

// Decodes the next row of MCUs: `vertical * 8` rows of each component, `strides[c]` bytes apart, from
// `rows + offsets[c]`, each of `blocks_across * 8` samples. `bytes` are those of the whole file, of which nothing beyond
// `end` is read. False at the first oddity; the scan is then of no more use.
bool prep_scan_read_row(
    prep_scan *_Nonnull scan, const uint8_t *_Nonnull bytes, uint8_t *_Nonnull rows, const size_t *_Nonnull offsets,
    const size_t *_Nonnull strides);

// Whether the data ended just where the last MCU did.
bool prep_scan_is_at_end(const prep_scan *_Nonnull scan);
