// The growing output, and the entropy-coded data in it. Private to the encoder.
#pragma once

#include "token_buffer.h"

// Bytes in memory of malloc. After a failed allocation nothing more is written.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
    bool has_failed;
} output_buffer;

void prep_output_append(output_buffer *output, const void *bytes, size_t count);

// Appends the entropy-coded data of a scan: the codes and value bits of the tokens of all buffers, with a zero after
// each byte of 0xFF, and ones up to a whole byte.
void prep_output_append_tokens(
    output_buffer *output, const token_buffer *tokens, int32_t buffer_count, const token_code *codes);
