/**
 * AutoGen: the names beside those of the GenAI conventions.
 * @see https://github.com/microsoft/autogen/tree/main/python/packages/autogen-core/src/autogen_core/_telemetry
 */
/** What the scopes of its spans begin with. */
export const SCOPE_AUTOGEN = 'autogen';
/** The provider that it says it is. */
export const SYSTEM_AUTOGEN = 'autogen';
/** Text: `publish`, `receive`, `process`, `create`. */
export const ATTR_MESSAGING_OPERATION = 'messaging.operation';
