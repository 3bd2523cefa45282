#include "error_report.h"

#include <string.h>

static prep_jpeg_failure_kind failure_kind_of(int code) {
    switch (code) {
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
    case JERR_WIDTH_OVERFLOW:
        return PREP_JPEG_FAILURE_MEMORY;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_COMPONENT_COUNT:
        return PREP_JPEG_FAILURE_UNSUPPORTED;
    default:
        return PREP_JPEG_FAILURE_INVALID_DATA;
    }
}

// Warnings are classified by code, not counted: cameras write files for which libjpeg emits harmless warnings.
static prep_jpeg_diagnostic_kind diagnostic_kind_of(const prep_jpeg_error_manager *errors, int code) {
    switch (code) {
    case JWRN_JPEG_EOF:
        return PREP_JPEG_DIAGNOSTIC_INPUT_ENDED;
    case JWRN_HIT_MARKER:
    case JWRN_MUST_RESYNC:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
        return errors->input_ended ? PREP_JPEG_DIAGNOSTIC_TRUNCATED : PREP_JPEG_DIAGNOSTIC_DAMAGED;
    default:
        return PREP_JPEG_DIAGNOSTIC_IRREGULAR;
    }
}

void prep_jpeg_error_exit(j_common_ptr codec) {
    prep_jpeg_error_manager *errors = (prep_jpeg_error_manager *)codec->err;
    errors->report.failure_kind = failure_kind_of(errors->base.msg_code);
    errors->report.offset = errors->input_offset;
    errors->base.format_message(codec, errors->report.message);
    longjmp(errors->jump_target, 1);
}

void prep_jpeg_emit_message(j_common_ptr codec, int level) {
    if (level >= 0) return; // trace output
    prep_jpeg_error_manager *errors = (prep_jpeg_error_manager *)codec->err;
    prep_jpeg_diagnostic *diagnostic = &errors->report.diagnostics[diagnostic_kind_of(errors, errors->base.msg_code)];
    if (diagnostic->occurred) return;
    diagnostic->occurred = true;
    diagnostic->offset = errors->input_offset;
    errors->base.format_message(codec, diagnostic->message);
}

_Static_assert(PREP_JPEG_MESSAGE_SIZE >= JMSG_LENGTH_MAX, "libjpeg formats messages of this length");

struct jpeg_error_mgr *prep_jpeg_error_manager_init(prep_jpeg_error_manager *errors) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = prep_jpeg_error_exit;
    errors->base.emit_message = prep_jpeg_emit_message;
    return &errors->base;
}
