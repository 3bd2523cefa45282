// Describes a JPEG for the fast decoder, with the rules of FastPathScans.swift.
#pragma once

#include "jpeg_fast_decoder.h"
#include "jpeg_shim.h"

enum { MAX_SCANS = 32 };

typedef struct {
    uint32_t width, height; // that the frame header states
    prep_jpeg_fast_image image;
    prep_jpeg_fast_scan scans[MAX_SCANS];
    int32_t scan_count;
} jpeg_description;

// Returns false for a file that the fast decoder does not support. `header` is libjpeg's result.
bool jpeg_describe(
    const uint8_t *bytes, size_t count, const prep_jpeg_header *header, bool is_half_size, jpeg_description *out);

// Returns the offset of the first scan's data, or 0 if there is none.
size_t jpeg_first_scan_data(const uint8_t *bytes, size_t count);
