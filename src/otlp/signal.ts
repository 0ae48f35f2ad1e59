/** What OTLP carries, by the last segment of the path that each is sent to over HTTP. */
export const SIGNALS = ['traces', 'logs', 'metrics'] as const;

/** One of {@link SIGNALS}. */
export type Signal = (typeof SIGNALS)[number];
