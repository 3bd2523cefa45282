#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "CFloors.h"

int64_t floor_read_file(const char *path, uint8_t *buffer, size_t capacity) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    int64_t total = 0;
    ssize_t count;
    while ((count = read(file, buffer, capacity)) > 0) total += count;
    close(file);
    return count < 0 ? -1 : total;
}

int64_t floor_cpu_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void floor_keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes; 12 megapixels have blocks of 24 MB
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}
