// Huffman tables for decoding. Private to the fast decoder.
#pragma once

#include "jpeg_fast_decoder.h"

// The number of bits that index the lookup tables.
//
// For DC coefficients the lookup has only the code, since the value is often long. For AC coefficients of the first
// scans of a progressive image it has the code and the value. Sequential scans use coefficient pairs instead.
enum { CODE_LOOKUP_BITS = 9, VALUE_LOOKUP_BITS = 11 };

// A code: in the lowest byte its length in bits, above it its symbol. 0 means that the bits are not a code.
//
//     15     8 7      0
//     | symbol | length |
typedef uint16_t huffman_code_entry;

static inline int32_t code_entry_length(huffman_code_entry entry) { return entry & 255; }
static inline int32_t code_entry_symbol(huffman_code_entry entry) { return entry >> 8; }

// A code with its value: in the lowest byte their length in bits together, in the next byte the advance in coefficients
// (the run of zeros and the coefficient itself), in the upper half the value. 0 means that the bits are not a code.
//
//     31            16 15      8 7      0
//     |     value     | advance | length |
typedef uint32_t huffman_value_entry;

// Advances beyond the end of a block, so that one comparison finds every entry that is not a coefficient.
enum {
    CODE_EXCEEDS_LOOKUP = 64 << 8, // the code does not fit in the lookup
    END_OF_BLOCK = 128 << 8        // the value is the number of following blocks that also end
};

static inline int32_t value_entry_length(huffman_value_entry entry) { return entry & 255; }
static inline int32_t value_entry_advance(huffman_value_entry entry) { return entry >> 8 & 255; }
static inline int32_t value_entry_coefficient(huffman_value_entry entry) { return (int32_t)entry >> 16; }

// Decodes the `size` bits after a code of `length` bits. If the first bit is 1, they are a positive number; otherwise
// subtracting all ones gives the negative number. It has no branches, which would be unpredictable. Source: T.81,
// F.2.2.1, EXTEND.
static inline int32_t decode_signed_value(uint64_t bits, int32_t length, int32_t size) {
    const uint64_t value_bits = bits << length;
    const int32_t ones = (int32_t)(((uint64_t)1 << size) - 1);
    return (int32_t)(value_bits >> 1 >> (63 - size)) - (ones & ~(int32_t)((int64_t)value_bits >> 63));
}

// Decodes the number of following blocks that a code of `length` bits ends, from the `size` bits after it. Source:
// T.81, G.1.2.2.
static inline uint32_t decode_eob_run(uint64_t bits, int32_t length, int32_t size) {
    return (1u << size) + (uint32_t)(bits << length >> 1 >> (63 - size)) - 1;
}

// A prefix code. For each length: the lowest 16-bit left-aligned value above all codes of that length, and the offset
// from a code to the index of its symbol.
typedef struct {
    uint32_t code_limits[18];
    int32_t symbol_offsets[17];
    uint8_t symbols[256];
} prefix_code;

// The meaning of symbols: in a scan of all bits (T.81, F.1.2.2), in the first scan of a coefficient (G.1.2.2), and in a
// scan that adds one bit (G.1.2.3).
typedef enum { SEQUENTIAL_SCAN, FIRST_SCAN, REFINEMENT_SCAN } scan_coding;

typedef struct {
    huffman_code_entry code_lookup[1 << CODE_LOOKUP_BITS]; // 0 also for longer codes
    prefix_code code;
} dc_huffman_table;

typedef struct {
    union {
        huffman_value_entry value_lookup[1 << VALUE_LOOKUP_BITS]; // for the first scan of a coefficient
        huffman_code_entry code_lookup[1 << CODE_LOOKUP_BITS]; // for a refinement scan; 0 also for longer codes
    };
    prefix_code code;
    scan_coding coding;
} ac_huffman_table;

// Initializes a table. Returns false if the counts are not those of a prefix code, or a symbol is invalid.
bool prep_dc_huffman_table_init(dc_huffman_table *table, const prep_jpeg_fast_huffman_table *description);
bool prep_ac_huffman_table_init(
    ac_huffman_table *table, const prep_jpeg_fast_huffman_table *description, scan_coding kind, int32_t low_bits);

// Returns the entry of the code that `bits` begin with, whatever its length.
huffman_code_entry prep_find_huffman_code(const prefix_code *code, uint64_t bits);
huffman_value_entry prep_find_huffman_value(const ac_huffman_table *table, uint64_t bits);
