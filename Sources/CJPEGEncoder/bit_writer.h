// The growing output, and the entropy-coded data in it. Private to the encoder.
#pragma once

#include "huffman.h"

// Bytes in memory of malloc. After a failed allocation nothing more is written.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
    bool has_failed;
} output_buffer;

// Consecutive tokens of a scan.
typedef struct {
    const token *tokens;
    size_t count;
} token_list;

void prep_output_append(output_buffer *output, const void *bytes, size_t count);

// Appends the entropy-coded data of a scan: the codes and value bits of the tokens of all lists, with a zero after each
// byte of 0xFF, and ones up to a whole byte.
void prep_output_append_tokens(
    output_buffer *output, const token_list *lists, int32_t list_count, const token_code *codes);
