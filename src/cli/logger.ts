import { inspect } from 'node:util';
import { pino } from 'pino';
import { errorMessage } from '#base/errors';
import type { LogFields, Logger } from '#base/log';
import type { LogConfig } from '#config/config';

/**
 * A logger that writes to a file descriptor, each line before the call returns, so that no line is lost however the
 * process ends. Nobody reading (a closed pipe) is no reason to stop.
 */
export function createLogger(config: LogConfig, fileDescriptor: number): Logger {
  const destination = pino.destination({ dest: fileDescriptor, sync: true });
  const lines = config.isStructured ? destination : { write: (json: string) => destination.write(formatLine(json)) };
  const log = pino(
    {
      level: config.level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  const describe = config.level === 'debug' ? inspect : errorMessage;
  const prepare = (fields: LogFields = {}) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? describe(value) : value]),
    );
  return {
    debug: (message, fields) => log.debug(prepare(fields), message),
    info: (message, fields) => log.info(prepare(fields), message),
    warn: (message, fields) => log.warn(prepare(fields), message),
    error: (message, fields) => log.error(prepare(fields), message),
  };
}

/** What pino writes, by the options above. */
interface LogLine {
  readonly level: string;
  readonly timestamp: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** One line for people, made of one line of JSON. */
function formatLine(json: string): string {
  const { level, timestamp, message, ...fields } = JSON.parse(json) as LogLine;
  const values = Object.entries(fields).map(([name, value]) => {
    const isWord = typeof value === 'string' && /^[^\s"=]+$/.test(value);
    return ` ${name}=${isWord ? value : JSON.stringify(value)}`;
  });
  const line = `${timestamp} ${level.toUpperCase().padEnd(5)} ${message}${values.join('')}`;
  return `${escapeControls(line)}\n`;
}

/** Control characters in a value that came from outside could forge a line or steer the terminal. */
function escapeControls(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}
