/**
 * Semantic Kernel: the names beside those of the GenAI conventions.
 * @see https://github.com/microsoft/semantic-kernel/tree/main/python/semantic_kernel/utils/telemetry
 */
/** What the scopes of its spans begin with, in Python. */
export const SCOPE_SEMANTIC_KERNEL = 'semantic_kernel';
/** What the scopes of its spans begin with, in .NET. */
export const SCOPE_SEMANTIC_KERNEL_NET = 'Microsoft.SemanticKernel';
/** Text, the functions that a model may ask for, with commas between their names. */
export const ATTR_AVAILABLE_FUNCTIONS = 'sk.available_functions';
/** Text, the name of a Python enumeration's member. */
export const ATTR_FINISH_REASON = 'gen_ai.response.finish_reason';
