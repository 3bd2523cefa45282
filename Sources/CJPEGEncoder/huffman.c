#include "huffman.h"

#include <string.h>

enum { MAX_SYMBOLS = 257, MAX_CODE_LENGTH = 16 };

// A tree node: the symbols that are joined so far.
typedef struct {
    uint64_t count;
    int32_t symbol; // the first symbol; its index in `code_lengths`
} huffman_node;

// Returns the index of the node with the smallest count; of several, that of the highest symbol, as libjpeg does.
static int32_t find_rarest(const huffman_node *nodes, int32_t node_count, int32_t other) {
    int32_t rarest = -1;
    for (int32_t i = 0; i < node_count; i++)
        if (i != other && (rarest < 0 || nodes[i].count <= nodes[rarest].count)) rarest = i;
    return rarest;
}

// Computes the code lengths of K.2: the two rarest nodes are joined until one remains. A node's symbols are a list.
static void find_code_lengths(huffman_node *nodes, int32_t node_count, int32_t code_lengths[MAX_SYMBOLS]) {
    int16_t next_symbols[MAX_SYMBOLS];
    memset(next_symbols, 0xFF, sizeof next_symbols); // -1: the last symbol of a node
    while (node_count > 1) {
        const int32_t first = find_rarest(nodes, node_count, -1), second = find_rarest(nodes, node_count, first);
        nodes[first].count += nodes[second].count;
        int32_t symbol = nodes[first].symbol;
        for (code_lengths[symbol]++; next_symbols[symbol] >= 0; code_lengths[symbol]++) symbol = next_symbols[symbol];
        next_symbols[symbol] = (int16_t)nodes[second].symbol;
        for (symbol = nodes[second].symbol; symbol >= 0; symbol = next_symbols[symbol]) code_lengths[symbol]++;
        // The order of the others is kept, because ties depend on it.
        memmove(nodes + second, nodes + second + 1, (size_t)(node_count - second - 1) * sizeof *nodes);
        node_count--;
    }
}

// Limits code lengths to 16 bits. Two codes of the longest length become one that is a bit shorter, and a shorter code
// becomes two that are a bit longer than it. Source: T.81, figure K.3.
static void limit_code_lengths(int32_t counts[MAX_SYMBOLS]) {
    for (int32_t length = MAX_SYMBOLS - 1; length > MAX_CODE_LENGTH; length--) {
        while (counts[length] > 0) {
            int32_t shorter = length - 2;
            while (counts[shorter] == 0) shorter--;
            counts[length] -= 2;
            counts[length - 1]++;
            counts[shorter + 1] += 2;
            counts[shorter]--;
        }
    }
}

void prep_huffman_table_init(huffman_table *table, const uint32_t counts[256]) {
    huffman_node nodes[MAX_SYMBOLS];
    int32_t code_lengths[MAX_SYMBOLS] = {0}, length_counts[MAX_SYMBOLS] = {0}, node_count = 0;
    memset(table, 0, sizeof *table);
    for (int32_t i = 0; i < 256; i++)
        if (counts[i] > 0) nodes[node_count++] = (huffman_node){counts[i], i};
    if (node_count == 0) return;
    const int32_t symbol_count = node_count;
    // A symbol that is not used, so that no code is all ones.
    nodes[node_count++] = (huffman_node){1, 256};
    find_code_lengths(nodes, node_count, code_lengths);
    for (int32_t i = 0; i < MAX_SYMBOLS; i++) length_counts[code_lengths[i]]++;
    length_counts[0] = 0;
    limit_code_lengths(length_counts);
    int32_t longest = MAX_CODE_LENGTH;
    while (length_counts[longest] == 0) longest--;
    length_counts[longest]--; // the code of the unused symbol
    for (int32_t i = 0; i < MAX_CODE_LENGTH; i++) table->code_counts[i] = (uint8_t)length_counts[i + 1];
    // Few lengths are used. All 256 would take 45 µs for each table.
    for (int32_t length = 1; table->symbol_count < symbol_count; length++)
        for (int32_t i = 0; i < 256; i++)
            if (code_lengths[i] == length) table->symbols[table->symbol_count++] = (uint8_t)i;
}

void prep_huffman_codes(const huffman_table *table, token_code codes[256]) {
    uint32_t code = 0;
    int32_t symbol_index = 0;
    for (uint32_t length = 1; length <= MAX_CODE_LENGTH; length++, code <<= 1) {
        for (int32_t i = 0; i < table->code_counts[length - 1]; i++, code++) {
            const uint8_t symbol = table->symbols[symbol_index++];
            const uint32_t size = symbol & 15;
            codes[symbol] = code << size << 5 | (length + size);
        }
    }
}
