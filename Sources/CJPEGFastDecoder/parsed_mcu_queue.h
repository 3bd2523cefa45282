// A queue of parsed MCUs between the thread that parses them and the one that transforms them. Private to the fast
// decoder.
#pragma once

#include "decoder.h"

typedef struct parsed_mcu_queue parsed_mcu_queue;

// Writes the samples of the next row of MCUs, after waiting for them. Returns false at an anomaly.
bool prep_write_parsed_mcu_row(
    prep_jpeg_fast_decoder *decoder, uint8_t *rows, const size_t *offsets, const size_t *strides);

// Waits until no other thread uses the decoder any more.
void prep_parsed_mcu_queue_wait_until_ended(parsed_mcu_queue *queue);

// Makes the other thread end, waits for it, and frees the queue.
void prep_parsed_mcu_queue_destroy(parsed_mcu_queue *queue);
