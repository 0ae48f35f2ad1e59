/** Values that belong to a log line, by name. An error under any name shows its stack at level `debug` alone. */
export type LogFields = Readonly<Record<string, unknown>>;

/** How much is logged: the level named and everything more severe. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where a part of the server writes what an operator should know. Never gives span content, credentials or secrets away. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
