// Private to this target.
#pragma once

// Lets all system calls fail from now on but those that computing in memory, and reading and writing open descriptors,
// need. Returns 0 or an errno. Does nothing but on Linux for x86-64 and arm64.
int prep_filter_system_calls(void);
