// Converts libjpeg's errors to a report. Private to the shim.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

#include "jpeg_shim.h"

typedef struct {
    struct jpeg_error_mgr base; // first, so that cinfo->err is also a prep_jpeg_error_manager
    jmp_buf jump_target;
    prep_jpeg_error_report report;
    size_t input_offset; // libjpeg's position in the file, updated by the source
    bool input_ended;
} prep_jpeg_error_manager;

// Initializes the error manager of a codec. `errors` must outlive the codec.
struct jpeg_error_mgr *prep_jpeg_error_manager_init(prep_jpeg_error_manager *errors);

// The two callbacks, for a codec that records its offset first.
void prep_jpeg_error_exit(j_common_ptr codec);
void prep_jpeg_emit_message(j_common_ptr codec, int level);
