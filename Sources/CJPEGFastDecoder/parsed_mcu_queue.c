// Decoding on two threads: one parses, the other transforms.
//
// MCUs are handed over in chunks, which are parts of rows. A thread that has to wait is woken when there is work for a
// while, because waking it takes about as long as parsing 384 blocks:
//
//   written_count                    parsed_count
//   v                                v
//   | parsed | parsed | ... | parsed | free | ... |     chunk_count chunks, a ring
//
//   The writer waits if nothing is parsed, until a quarter of the chunks are.
//   The parser waits if nothing is free, until half of the chunks are.
//
// With a queue of rows instead of chunks, memory would grow with the width of the image.
#include "parsed_mcu_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "sequential.h"

// 16 chunks of 60 KiB, or more of them where a row has fewer blocks. Half and twice as many chunks took the same time.
// Harnesses make chunks smaller, so that small images fill the queue.
#ifndef PREP_CHUNK_BLOCKS
#define PREP_CHUNK_BLOCKS 384
#endif
enum { QUEUE_BLOCKS = 16 * PREP_CHUNK_BLOCKS };
_Static_assert(PREP_CHUNK_BLOCKS >= MAX_BLOCKS_PER_MCU, "a chunk has at least one MCU");

struct parsed_mcu_queue {
    pthread_mutex_t mutex;
    pthread_cond_t has_parsed, has_free, has_ended_condition;
    sequential_block *blocks;
    int32_t mcus_per_chunk, chunk_count;
    int32_t remaining_row_count; // to be parsed
    // Changed with the mutex locked:
    int64_t parsed_count, written_count; // chunks so far
    bool is_cancelled, has_ended;
};

// Returns the blocks of a chunk. Each chunk has one more block, which marks its end.
static sequential_block *chunk_blocks(const prep_jpeg_fast_decoder *decoder, int64_t chunk) {
    const parsed_mcu_queue *queue = decoder->queue;
    const int32_t stride = queue->mcus_per_chunk * decoder->blocks_per_mcu + 1;
    return queue->blocks + (size_t)(chunk % queue->chunk_count) * (size_t)stride;
}

static void free_queue(parsed_mcu_queue *queue) {
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->has_parsed);
    pthread_cond_destroy(&queue->has_free);
    pthread_cond_destroy(&queue->has_ended_condition);
    free(queue->blocks);
    free(queue);
}

bool prep_jpeg_fast_decoder_begin_parsing_ahead(prep_jpeg_fast_decoder *decoder) {
    if (decoder->is_progressive || decoder->queue || decoder->next_mcu_row >= decoder->mcu_row_count) return false;
    parsed_mcu_queue *queue = calloc(1, sizeof *queue);
    if (!queue) return false;
    const int32_t fitting = PREP_CHUNK_BLOCKS / decoder->blocks_per_mcu;
    queue->mcus_per_chunk = decoder->mcus_per_row < fitting ? decoder->mcus_per_row : fitting;
    queue->chunk_count = QUEUE_BLOCKS / (queue->mcus_per_chunk * decoder->blocks_per_mcu);
    queue->remaining_row_count = decoder->mcu_row_count - decoder->next_mcu_row;
    const size_t count =
        (size_t)queue->chunk_count * (size_t)(queue->mcus_per_chunk * decoder->blocks_per_mcu + 1);
    queue->blocks = aligned_alloc(_Alignof(sequential_block), count * sizeof *queue->blocks);
    if (!queue->blocks) {
        free(queue);
        return false;
    }
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->has_parsed, NULL);
    pthread_cond_init(&queue->has_free, NULL);
    pthread_cond_init(&queue->has_ended_condition, NULL);
    decoder->queue = queue;
    for (int32_t i = 0; i < queue->chunk_count; i++)
        prep_init_mcus(decoder, chunk_blocks(decoder, i), queue->mcus_per_chunk);
    return true;
}

void prep_jpeg_fast_decoder_cancel_parsing_ahead(prep_jpeg_fast_decoder *decoder) {
    free_queue(decoder->queue);
    decoder->queue = NULL;
}

// Waits for a free chunk. Returns false if the queue is cancelled.
static bool wait_for_free_chunk(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    if (queue->parsed_count - queue->written_count == queue->chunk_count) {
        while (queue->parsed_count - queue->written_count > queue->chunk_count / 2 && !queue->is_cancelled)
            pthread_cond_wait(&queue->has_free, &queue->mutex);
    }
    const bool is_cancelled = queue->is_cancelled;
    pthread_mutex_unlock(&queue->mutex);
    return !is_cancelled;
}

// This and `release_chunk` signal after unlocking, because the woken thread would otherwise wait for the mutex. The
// queue still exists then: it is freed only by the thread that writes, after the one that parses has set `has_ended`.
static void add_parsed_chunk(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->parsed_count++;
    const bool wakes_writer = queue->parsed_count - queue->written_count == queue->chunk_count / 4;
    pthread_mutex_unlock(&queue->mutex);
    if (wakes_writer) pthread_cond_signal(&queue->has_parsed);
}

static bool parse_row(prep_jpeg_fast_decoder *decoder, const uint8_t *bytes) {
    parsed_mcu_queue *queue = decoder->queue;
    for (int32_t first = 0, count; first < decoder->mcus_per_row; first += count) {
        const int32_t remaining = decoder->mcus_per_row - first;
        count = remaining < queue->mcus_per_chunk ? remaining : queue->mcus_per_chunk;
        if (!wait_for_free_chunk(queue)) return false;
        if (!prep_parse_mcus(decoder, bytes, chunk_blocks(decoder, queue->parsed_count), count)) return false;
        add_parsed_chunk(queue);
    }
    return true;
}

void prep_jpeg_fast_decoder_parse_ahead(prep_jpeg_fast_decoder *decoder, const uint8_t *bytes) {
    parsed_mcu_queue *queue = decoder->queue;
    for (int32_t row = 0; row < queue->remaining_row_count; row++)
        if (!parse_row(decoder, bytes)) break;
    pthread_mutex_lock(&queue->mutex);
    queue->has_ended = true;
    pthread_cond_signal(&queue->has_parsed);
    pthread_cond_signal(&queue->has_ended_condition);
    pthread_mutex_unlock(&queue->mutex);
}

// Waits for a parsed chunk. Returns false if there is none, and never will be.
static bool wait_for_parsed_chunk(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    if (queue->parsed_count == queue->written_count) {
        while (queue->parsed_count - queue->written_count < queue->chunk_count / 4 && !queue->has_ended)
            pthread_cond_wait(&queue->has_parsed, &queue->mutex);
    }
    const bool is_parsed = queue->parsed_count > queue->written_count;
    pthread_mutex_unlock(&queue->mutex);
    return is_parsed;
}

static void release_chunk(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->written_count++;
    const bool wakes_parser = queue->parsed_count - queue->written_count == queue->chunk_count / 2;
    pthread_mutex_unlock(&queue->mutex);
    if (wakes_parser) pthread_cond_signal(&queue->has_free);
}

bool prep_write_parsed_mcu_row(
    prep_jpeg_fast_decoder *decoder, uint8_t *rows, const size_t *offsets, const size_t *strides) {
    parsed_mcu_queue *queue = decoder->queue;
    for (int32_t first = 0, count; first < decoder->mcus_per_row; first += count) {
        const int32_t remaining = decoder->mcus_per_row - first;
        count = remaining < queue->mcus_per_chunk ? remaining : queue->mcus_per_chunk;
        if (!wait_for_parsed_chunk(queue)) return false;
        if (!prep_write_mcus(
                decoder, chunk_blocks(decoder, queue->written_count), first, count, rows, offsets, strides))
            return false;
        release_chunk(queue);
    }
    return true;
}

void prep_parsed_mcu_queue_wait_until_ended(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    while (!queue->has_ended) pthread_cond_wait(&queue->has_ended_condition, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

void prep_parsed_mcu_queue_destroy(parsed_mcu_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->is_cancelled = true;
    pthread_cond_signal(&queue->has_free);
    pthread_mutex_unlock(&queue->mutex);
    prep_parsed_mcu_queue_wait_until_ended(queue);
    free_queue(queue);
}
