#include "token_buffer.h"

#include <stdlib.h>

bool prep_token_buffer_reserve(token_buffer *buffer, size_t count) {
    if (buffer->capacity - buffer->count >= count) return true;
    const size_t capacity = buffer->capacity * 2 + count;
    token *items = realloc(buffer->items, capacity * sizeof *items);
    if (!items) return false;
    buffer->items = items;
    buffer->capacity = capacity;
    return true;
}
