// usage PROGRAM ARGUMENT...: runs a program without output, and prints its wall and CPU time in nanoseconds, and its
// peak memory in bytes. Exits with the status of the program.
//
// A small program, because Linux counts the memory of the parent at the fork in the child's peak: a parent of 40 MB
// could not measure a child of 30 MB.
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(struct timeval time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_usec * 1000; }

int main(int count, char **arguments) {
    posix_spawn_file_actions_t actions;
    if (count < 2 || posix_spawn_file_actions_init(&actions)) return 64;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int64_t start = now();
    pid_t process;
    struct rusage usage;
    int status;
    if (posix_spawn(&process, arguments[1], &actions, NULL, arguments + 1, environ)) return 127;
    if (wait4(process, &status, 0, &usage) != process) return 127;
#ifdef __APPLE__
    const int64_t unit = 1;
#else
    const int64_t unit = 1024;
#endif
    const int64_t processor = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
    printf("%lld %lld %lld\n", (long long)(now() - start), (long long)processor, (long long)(usage.ru_maxrss * unit));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
