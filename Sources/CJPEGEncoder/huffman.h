// Tokens, and the Huffman tables that their counts give. Private to the encoder.
#pragma once

#include <stdint.h>

#include "jpeg_compact_encoder.h"

// A symbol with its value bits.
//
//     31         26 25     24 23    16 15          0
//     |     0      |  table  | symbol |  value bits |
typedef uint32_t token;

// The tables of luma's DC and AC symbols, and of chroma's. SYMBOLS has 256 entries for each.
enum { LUMA_DC = 0, LUMA_AC = 256, CHROMA_DC = 512, CHROMA_AC = 768, SYMBOLS = 1024 };

enum { END_OF_BLOCK = 0x00, ZERO_RUN = 0xF0 };

// A Huffman table as in the file: the number of codes of each length, and the symbols in the order of the codes.
typedef struct {
    uint8_t code_counts[16];
    uint8_t symbols[256];
    int32_t symbol_count;
} huffman_table;

// A code with zeros for its value bits, and their length together: at most 16 + 11 bits.
//
//     31                         5 4      0
//     | code | zeros for the value | length |
typedef uint32_t token_code;

// Computes the optimal table for the symbols' counts. Without symbols, the table is empty.
void prep_huffman_table_init(huffman_table *table, const uint32_t counts[256]);

// Sets the codes of a table's symbols. The lowest four bits of a symbol are its number of value bits.
void prep_huffman_codes(const huffman_table *table, token_code codes[256]);
