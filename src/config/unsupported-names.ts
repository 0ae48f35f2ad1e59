/**
 * Names, without prefix, that Phoenix's server knows and this version does not: whoever brings a deployment along should
 * hear which of its settings do nothing. Names of its clients are missing here on purpose.
 */
const NAMES: ReadonlySet<string> = new Set([
  'ACCESS_TOKEN_EXPIRY_MINUTES',
  'ADMIN_SECRET',
  'ADMINS',
  'ALLOWED_PROVIDERS',
  'ALLOWED_SANDBOX_PROVIDERS',
  'ALLOW_EXTERNAL_RESOURCES',
  'API_KEY_EXPIRY_MINUTES',
  'BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS',
  'COOKIES_PATH',
  'CSRF_TRUSTED_ORIGINS',
  'DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE',
  'DB_LOGGING_LEVEL',
  'DEFAULT_ADMIN_INITIAL_PASSWORD',
  'DISABLE_BASIC_AUTH',
  'DISABLE_BRUTE_FORCE_LOGIN_PROTECTION',
  'DISABLE_RATE_LIMIT',
  'ENABLE_MCP_CODE_MODE',
  'ENABLE_MCP_SERVER',
  'ENABLE_PROMETHEUS',
  'ENABLE_STRONG_PASSWORD_POLICY',
  'FASTAPI_MIDDLEWARE_PATHS',
  'GQL_EXTENSION_PATHS',
  'GRPC_INTERCEPTOR_PATHS',
  'LOG_SQL',
  'MANAGEMENT_URL',
  'MASK_INTERNAL_SERVER_ERRORS',
  'MAX_SPANS_QUEUE_SIZE',
  'PASSWORD_RESET_TOKEN_EXPIRY_MINUTES',
  'REFRESH_TOKEN_EXPIRY_MINUTES',
  'SECRET',
  'SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT',
  'SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT',
  'SUPPORT_EMAIL',
  'USE_SECURE_COOKIES',
]);

const FAMILIES = /^(OAUTH2|LDAP|SMTP)_[A-Z0-9_]+$/;

/** Whether the name, without its prefix, is a setting that this version knows of and does not have. */
export function isUnsupportedName(name: string): boolean {
  return NAMES.has(name) || FAMILIES.test(name);
}
