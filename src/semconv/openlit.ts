/**
 * OpenLIT: the names beside those of the GenAI conventions.
 * @see https://github.com/openlit/openlit/blob/main/sdk/python/src/openlit/semcov/__init__.py
 */
/** What the scopes of its spans begin with. */
export const SCOPE_OPENLIT = 'openlit';
/** Of a span, which repeats what the resource says: text, `openlit`. */
export const ATTR_TELEMETRY_SDK_NAME = 'telemetry.sdk.name';
/** Of a function that is traced: a Python tuple as text. */
export const ATTR_FUNCTION_ARGS = 'function.args';
/** Of a function that is traced: a Python dictionary as text. */
export const ATTR_FUNCTION_KWARGS = 'function.kwargs';
/** Text, what is done in a store. */
export const ATTR_DB_OPERATION_NAME = 'db.operation.name';
/** Text, what is looked for. */
export const ATTR_DB_QUERY_TEXT = 'db.query.text';
/** Text, what is looked for, in older versions. */
export const ATTR_DB_STATEMENT = 'db.statement';
