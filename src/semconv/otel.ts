/** OpenTelemetry's own span status codes. */

/** @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
export const STATUS_CODE_OK = 1;
export const STATUS_CODE_ERROR = 2;

/** The highest span kind that OTLP knows: consumer. */
export const SPAN_KIND_CONSUMER = 5;
