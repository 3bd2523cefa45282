// Memory for tokens. Private to the encoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "huffman.h"

// Tokens in memory of malloc, which grows. Initially all zero.
typedef struct {
    token *items;
    size_t count, capacity;
} token_buffer;

// Ensures room for `count` more tokens. Returns false if the allocation fails.
bool prep_token_buffer_reserve(token_buffer *buffer, size_t count);
