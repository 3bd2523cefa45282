// Selects the instruction set that the environment requests, before the first test: the testing library has no hook for
// that. The function is in TestSupport.
void prep_tests_select_instruction_set(void);

__attribute__((constructor)) static void select_instruction_set(void) { prep_tests_select_instruction_set(); }
