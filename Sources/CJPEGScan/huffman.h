// Huffman tables for decoding. Private to the scan decoder.
#pragma once

#include "jpeg_scan.h"

// Bits that are looked up at once. Hardly any code in a photo is longer, and with 2 bytes an entry the tables of luma and
// chroma fit the first-level cache together.
enum { LOOKUP_BITS = 11 };

// What the next LOOKUP_BITS bits of the data begin with: the bits of code and value together (5 bits, 0 if the code is
// longer than the lookup), those of the value alone (4 bits), and the zeros before the coefficient (4 bits).
typedef uint16_t lookup_entry;

static inline int32_t entry_length(lookup_entry entry) { return entry & 31; }
static inline int32_t entry_size(lookup_entry entry) { return entry >> 5 & 15; }
static inline int32_t entry_run(lookup_entry entry) { return entry >> 9; }

static inline lookup_entry make_entry(int32_t code_length, uint8_t symbol) {
    return (lookup_entry)((code_length + (symbol & 15)) | (symbol & 15) << 5 | symbol >> 4 << 9);
}

typedef struct {
    lookup_entry lookup[1 << LOOKUP_BITS];
    // For longer codes: the first code of a length, left-aligned to 16 bits, that is too large for it; and where the
    // symbols of that length are.
    uint32_t limit[18];
    int32_t first_symbol[17];
    uint8_t symbols[256];
} huffman_table;

// False if the counts describe no prefix code.
bool prep_huffman_init(huffman_table *table, const prep_scan_huffman *stated, bool is_dc);
