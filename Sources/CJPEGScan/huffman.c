#include "huffman.h"

#include <string.h>

// Enters one code at all places of the lookup that begin with it.
static void enter_code(huffman_table *table, uint32_t code, int32_t length, uint8_t symbol) {
    const int32_t spare = LOOKUP_BITS - length;
    for (uint32_t rest = 0; rest < 1u << spare; rest++) table->lookup[code << spare | rest] = make_entry(length, symbol);
}

bool prep_huffman_init(huffman_table *table, const prep_scan_huffman *stated, bool is_dc) {
    memset(table, 0, sizeof *table);
    uint32_t code = 0;
    int32_t used = 0;
    for (int32_t length = 1; length <= 16; length++) {
        table->first_symbol[length] = used - (int32_t)code;
        for (int32_t i = 0; i < stated->counts[length - 1]; i++, code++, used++) {
            // The code of all ones must stay free: libjpeg refuses tables that use it, so nothing else would read the file.
            if (used == 256 || code + 1 >= 1u << length) return false;
            const uint8_t symbol = stated->symbols[used];
            // What 8 bits a sample can need: a code and its value then have 27 bits at most.
            if (is_dc ? symbol > 11 : (symbol & 15) > 10) return false;
            table->symbols[used] = symbol;
            if (length <= LOOKUP_BITS) enter_code(table, code, length, symbol);
        }
        table->limit[length] = code << (16 - length);
        code <<= 1;
    }
    table->limit[17] = UINT32_MAX;
    return used > 0;
}
