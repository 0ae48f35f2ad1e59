import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import { Secret } from '#base/secret';
import type { LogConfig } from '#config/config';
import { createLogger } from './logger.ts';

/** What is in the file when the calls have returned. */
function written(config: LogConfig, log: (logger: Logger) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-log-'));
  const file = openSync(join(folder, 'log'), 'w');
  try {
    log(createLogger(config, file));
    return readFileSync(join(folder, 'log'), 'utf8');
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

describe('lines for people', () => {
  const config: LogConfig = { level: 'info', isStructured: false };

  it('hold time, level, message and fields', () => {
    const text = written(config, (log) => log.warn('disk is filling', { freeBytes: 12, folder: '/a b', state: 'low' }));
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}disk is filling freeBytes=12 folder="\/a b" state=low\n$/);
  });

  it('cannot be forged or steer a terminal, whatever a value holds', () => {
    const text = written(config, (log) => log.info('name\nFAKE \u001b[2J', { name: 'x\n\u009b2J\u202e' }));
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  it('leave out what is less severe than the level', () => {
    const text = written({ ...config, level: 'warn' }, (log) => {
      log.debug('1');
      log.info('2');
      log.warn('3');
      log.error('4');
    });
    expect(text.match(/\d$/gm)).toEqual(['3', '4']);
  });
});

describe('lines for machines', () => {
  it('are one JSON object each', () => {
    const text = written({ level: 'info', isStructured: true }, (log) => log.error('no room', { freeBytes: 12n }));
    const { timestamp, ...rest } = JSON.parse(text) as { timestamp: string };
    expect(rest).toEqual({ level: 'error', message: 'no room', freeBytes: 12 });
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
  });
});

describe('fields', () => {
  const error = new AppError('internal', 'it broke', { cause: new Error('underneath') });

  it('show of an error its message alone, and stack and cause at level debug', () => {
    for (const isStructured of [true, false]) {
      const brief = written({ level: 'info', isStructured }, (log) => log.error('failed', { error }));
      expect(brief).toContain('it broke');
      expect(brief).not.toMatch(/underneath|logger\.test/);
      const long = written({ level: 'debug', isStructured }, (log) => log.error('failed', { error }));
      expect(long).toMatch(/underneath[^]*logger\.test/);
      expect(long.trimEnd()).not.toContain('\n');
    }
  });

  it('never show a secret', () => {
    const text = written({ level: 'debug', isStructured: true }, (log) => {
      log.info('connected', { key: new Secret('hunter2'), nested: { key: new Secret('hunter2') } });
    });
    expect(text).not.toContain('hunter2');
    expect(text.match(/\[secret\]/g)).toHaveLength(2);
  });
});
