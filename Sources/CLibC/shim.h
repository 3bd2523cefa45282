// Declarations of Linux's C library that Swift's import of it lacks.

// unistd.h declares it only with _GNU_SOURCE.
extern int syncfs(int descriptor);

#include <fcntl.h>
#include <malloc.h>

// O_PATH, which fcntl.h defines only with _GNU_SOURCE.
static const int openPathFlag = __O_PATH;
