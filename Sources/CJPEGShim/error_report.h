// How libjpeg's errors become a report. Private to the shim.
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
    size_t input_offset;   // where libjpeg stands, kept by the source
    bool input_ended;
} prep_jpeg_error_manager;

// Fills in the error manager of a codec; `errors` must outlive it.
struct jpeg_error_mgr *prep_jpeg_error_manager_init(prep_jpeg_error_manager *errors);

// The two callbacks themselves, for a codec that notes its offset first.
void prep_jpeg_error_exit(j_common_ptr codec);
void prep_jpeg_emit_message(j_common_ptr codec, int level);
