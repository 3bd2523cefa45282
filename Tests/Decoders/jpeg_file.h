// A JPEG as the fast decoder wants it described. The same rules as FastPathScans.swift, and what that stands on.
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

// False for a file that isn't for the fast decoder. `header` is what libjpeg makes of it.
bool jpeg_describe(const uint8_t *bytes, size_t count, const prep_jpeg_header *header, jpeg_description *out);

// Where the first scan's data begins; 0 if there is none.
size_t jpeg_first_scan_data(const uint8_t *bytes, size_t count);
