#include "coefficient_pairs.h"

#include "debug_assert.h"

enum { MAX_FIRST_ADVANCE = 4, MAX_FIRST_SIZE = 7 }; // what the fields of an entry hold

// A symbol: its code, and the number of bits of its value. A code length of 0 stands for every exception.
typedef struct {
    uint8_t code_length, size, advance;
} lookup_symbol;

// A DC symbol is the size of the value; an AC symbol also has the run of zeros before it.
static lookup_symbol lookup_symbol_of(int32_t symbol, int32_t code_length, bool is_dc) {
    const int32_t run = is_dc ? 0 : symbol >> 4, size = is_dc ? symbol : symbol & 15;
    const bool ends_block = !is_dc && symbol == 0;
    if (!is_dc && size == 0 && !ends_block) return (lookup_symbol){0};
    return (lookup_symbol){
        (uint8_t)code_length, (uint8_t)size, (uint8_t)(run + 1 + (ends_block ? PAIR_ENDS_BLOCK : 0))};
}

// Fills in the symbol of each code that is not longer than the lookup. Codes are in ascending order.
static void init_symbols(lookup_symbol *symbols, const prefix_code *code, bool is_dc) {
    int32_t index = 0;
    for (int32_t length = 1; length <= PAIR_LOOKUP_BITS; length++) {
        const int32_t unused_bits = PAIR_LOOKUP_BITS - length;
        const int32_t end = (int32_t)(code->code_limits[length] >> (16 - PAIR_LOOKUP_BITS));
        DEBUG_ASSERT(end <= PAIR_LOOKUP_COUNT);
        while (index < end) {
            const int32_t symbol = code->symbols[code->symbol_offsets[length] + (index >> unused_bits)];
            const lookup_symbol entry = lookup_symbol_of(symbol, length, is_dc);
            for (int32_t i = 0; i < 1 << unused_bits; i++) symbols[index++] = entry;
        }
    }
    while (index < PAIR_LOOKUP_COUNT) symbols[index++] = (lookup_symbol){0};
}

static coefficient_pair single_coefficient(lookup_symbol symbol) {
    const int32_t length = symbol.code_length + symbol.size;
    const bool has_value = symbol.size > 0 || symbol.advance & PAIR_ENDS_BLOCK;
    if (symbol.code_length == 0 || !has_value || length > MAX_PAIR_LENGTH)
        return (coefficient_pair){.advance = PAIR_IS_OTHER};
    return (coefficient_pair){
        .length = (uint8_t)length, .advance = symbol.advance, .last_shift = (uint8_t)((64 - symbol.size) & 63)};
}

// Returns whether the value of a symbol can be in an entry, and there are bits for another code after it.
static bool can_be_first(lookup_symbol symbol) {
    return symbol.code_length > 0 && symbol.code_length + symbol.size < PAIR_LOOKUP_BITS &&
        symbol.size <= MAX_FIRST_SIZE && symbol.advance <= MAX_FIRST_ADVANCE;
}

static void init_pairs(coefficient_pair *pairs, const lookup_symbol *symbols, const lookup_symbol *ac_symbols) {
    for (int32_t start = 0, count; start < PAIR_LOOKUP_COUNT; start += count) {
        const lookup_symbol first = symbols[start];
        const coefficient_pair single = single_coefficient(first);
        count = first.code_length > 0 ? PAIR_LOOKUP_COUNT >> first.code_length : 1;
        for (int32_t i = start; i < start + count; i++) pairs[i] = single;
        if (!can_be_first(first)) continue;
        const int32_t first_length = first.code_length + first.size;
        for (int32_t i = start; i < start + count; i++) {
            const lookup_symbol last = ac_symbols[i << first_length & (PAIR_LOOKUP_COUNT - 1)];
            const int32_t length = first_length + last.code_length + last.size;
            if (last.code_length == 0 || first_length + last.code_length > PAIR_LOOKUP_BITS || length > MAX_PAIR_LENGTH)
                continue;
            const uint64_t bits = (uint64_t)i << (64 - PAIR_LOOKUP_BITS);
            pairs[i] = (coefficient_pair){
                .length = (uint8_t)length, .advance = (uint8_t)(first.advance + last.advance),
                .first = (int8_t)decode_signed_value(bits, first.code_length, first.size),
                .last_shift = (uint8_t)((64 - last.size) & 63) | (uint8_t)((first.advance - 1) << 6)};
        }
    }
}

void prep_component_pairs_init(component_pairs *pairs, const prefix_code *dc_code, const prefix_code *ac_code) {
    lookup_symbol dc_symbols[PAIR_LOOKUP_COUNT], ac_symbols[PAIR_LOOKUP_COUNT];
    init_symbols(dc_symbols, dc_code, true);
    init_symbols(ac_symbols, ac_code, false);
    init_pairs(pairs->dc, dc_symbols, ac_symbols);
    init_pairs(pairs->ac, ac_symbols, ac_symbols);
}
