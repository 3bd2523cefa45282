#include "test_images.h"
