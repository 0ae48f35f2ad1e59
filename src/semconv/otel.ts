/**
 * Numbers and names of OTLP's messages.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */

/** The status code of success, set by hand. */
export const STATUS_CODE_OK = 1;
/** The status code of failure; any other is none. */
export const STATUS_CODE_ERROR = 2;

/** The highest span kind that OTLP knows: consumer. */
export const SPAN_KIND_CONSUMER = 5;

/**
 * Text, what an exception says, on an event.
 * @see https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/
 */
export const ATTR_EXCEPTION_MESSAGE = 'exception.message';
/** Text, the class of the exception. */
export const ATTR_EXCEPTION_TYPE = 'exception.type';
/** Text, the stack trace. */
export const ATTR_EXCEPTION_STACKTRACE = 'exception.stacktrace';

/**
 * Text, the logical name of the service that a resource is.
 * @see https://opentelemetry.io/docs/specs/semconv/resource/#service
 */
export const ATTR_SERVICE_NAME = 'service.name';

/**
 * Text, which instance of the service it is; each process has another.
 * @see https://opentelemetry.io/docs/specs/semconv/resource/#service
 */
export const ATTR_SERVICE_INSTANCE_ID = 'service.instance.id';

/**
 * Text, the name of the event that a log record is, from SDKs that do not know the field for it.
 * @see https://opentelemetry.io/docs/specs/semconv/general/events/
 */
export const ATTR_EVENT_NAME = 'event.name';
