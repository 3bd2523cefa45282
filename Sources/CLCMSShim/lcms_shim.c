#include "lcms_shim.h"

#include <lcms2.h>
#include <string.h>

#include "dynamic_library.h"

#define FUNCTIONS(X) \
    X(cmsCreateContext) X(cmsDeleteContext) X(cmsGetContextUserData) X(cmsSetLogErrorHandlerTHR) \
    X(cmsOpenProfileFromMemTHR) X(cmsCloseProfile) X(cmsGetColorSpace) X(cmsCreateXYZProfileTHR) \
    X(cmsCreateTransformTHR) X(cmsDeleteTransform) X(cmsDoTransform)

PREP_DEFINE_LIBRARY(FUNCTIONS, prep_lcms_is_available, "liblcms2.so.2")

static void copy_message(char *target, const char *message) {
    strncpy(target, message, PREP_LCMS_MESSAGE_SIZE - 1);
    target[PREP_LCMS_MESSAGE_SIZE - 1] = 0;
}

// Keeps the first message, since others follow from it.
static void on_error(cmsContext context, cmsUInt32Number code, const char *text) {
    (void)code;
    char *message = library.cmsGetContextUserData(context);
    if (message && !*message) copy_message(message, text);
}

// Returns the format of colors in double precision, or 0 if the profile has another number of channels.
static cmsUInt32Number device_format(cmsHPROFILE profile, int32_t channel_count) {
    switch (library.cmsGetColorSpace(profile)) {
    case cmsSigGrayData: return channel_count == 1 ? TYPE_GRAY_DBL : 0;
    case cmsSigRgbData: return channel_count == 3 ? TYPE_RGB_DBL : 0;
    case cmsSigCmykData: return channel_count == 4 ? TYPE_CMYK_DBL : 0;
    default: return 0;
    }
}

static cmsHTRANSFORM create_transform(cmsContext context, cmsHPROFILE profile, int32_t channel_count) {
    const cmsUInt32Number format = device_format(profile, channel_count);
    cmsHPROFILE xyz = format ? library.cmsCreateXYZProfileTHR(context) : NULL;
    if (!xyz) return NULL;
    // Without optimization the profile's own curves and tables are evaluated in floating point.
    const cmsUInt32Number flags = cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION;
    cmsHTRANSFORM transform = library.cmsCreateTransformTHR(
        context, profile, format, xyz, TYPE_XYZ_DBL, INTENT_RELATIVE_COLORIMETRIC, flags);
    library.cmsCloseProfile(xyz);
    return transform;
}

// Converts colors in batches, since those of CMYK are in percent for Little CMS.
static void convert(
    cmsHTRANSFORM transform, int32_t channel_count, const double *colors, size_t count, double *xyz) {
    enum { BATCH = 256 };
    double scaled[BATCH * 4];
    const double scale = channel_count == 4 ? 100 : 1;
    const size_t channels = (size_t)channel_count;
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t batch = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < batch * channels; i++) scaled[i] = colors[first * channels + i] * scale;
        library.cmsDoTransform(transform, scaled, xyz + first * 3, (cmsUInt32Number)batch);
    }
}

bool prep_lcms_convert_to_xyz(
    const uint8_t *bytes, size_t byte_count, int32_t channel_count, const double *colors, size_t count, double *xyz,
    char *message) {
    *message = 0;
    if (byte_count > UINT32_MAX || channel_count < 1 || channel_count > 4) return false;
    cmsContext context = library.cmsCreateContext(NULL, message);
    if (!context) {
        copy_message(message, "not enough memory");
        return false;
    }
    library.cmsSetLogErrorHandlerTHR(context, on_error);
    cmsHPROFILE profile = library.cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)byte_count);
    cmsHTRANSFORM transform = profile ? create_transform(context, profile, channel_count) : NULL;
    if (transform) {
        convert(transform, channel_count, colors, count, xyz);
        library.cmsDeleteTransform(transform);
    } else if (!*message) {
        copy_message(message, "the profile is for other colors");
    }
    if (profile) library.cmsCloseProfile(profile);
    library.cmsDeleteContext(context);
    return transform != NULL;
}
