import { applicationVariables } from './application-variables.ts';

/**
 * Names, without prefix, that Phoenix's server knows and this version does not: users who migrate a deployment should
 * hear which of its settings do nothing. Names of its clients are missing here on purpose.
 */
const NAMES: ReadonlySet<string> = new Set([
  'ALLOWED_PROVIDERS',
  'ALLOWED_SANDBOX_PROVIDERS',
  'ALLOW_EXTERNAL_RESOURCES',
  'API_KEY_EXPIRY_MINUTES',
  'DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE',
  'DB_LOGGING_LEVEL',
  'ENABLE_MCP_CODE_MODE',
  'ENABLE_MCP_SERVER',
  'ENABLE_PROMETHEUS',
  'FASTAPI_MIDDLEWARE_PATHS',
  'GQL_EXTENSION_PATHS',
  'GRPC_INTERCEPTOR_PATHS',
  'LOG_SQL',
  'MASK_INTERNAL_SERVER_ERRORS',
  'MAX_SPANS_QUEUE_SIZE',
  'SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT',
  'SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT',
  'SUPPORT_EMAIL',
]);

/** Settings of the server's own applications, which begin as those of providers do. */
const OF_APPLICATIONS: ReadonlySet<string> = new Set(Object.values(applicationVariables).map(({ name }) => name));

/** Of each provider of identities. */
const OF_PROVIDER = /^OAUTH2_\w+_CLIENT_ASSERTION_FILE(_ENV_VAR)?$/;

/** Whether the name, without its prefix, is a setting that this version knows of and does not have. */
export function isUnsupportedName(name: string): boolean {
  return NAMES.has(name) || OF_PROVIDER.test(name);
}

/** Whether the name, without its prefix, is meant for a provider of identities. */
export function isOfProvider(name: string): boolean {
  return name.startsWith('OAUTH2_') && !OF_APPLICATIONS.has(name) && !isUnsupportedName(name);
}
