import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '#base/log';
import { MailQueue, MailRefusal } from './mail-queue.ts';
import type { Mail } from './mailer.ts';

const MINUTE = 60_000;

const logged: string[] = [];
const note =
  (level: string) =>
  (message: string, fields: object = {}) =>
    void logged.push(`${level} ${message} ${Object.values(fields).join(' ')}`.trim());
const log: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };

function mailTo(to: string): Mail {
  return { to, subject: 's', text: 'https://secret-link', html: '<a>' };
}

beforeEach(() => {
  logged.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the queue of mails', () => {
  it('does not keep its caller waiting, and sends one after another', async () => {
    const events: string[] = [];
    const queue = new MailQueue(async ({ to }) => {
      events.push(`begin ${to}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      events.push(`end ${to}`);
    }, log);
    queue.send(mailTo('a'));
    queue.send(mailTo('b'));
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    expect(events).toEqual(['begin a', 'end a', 'begin b', 'end b']);
    expect(logged).toEqual([]);
    await queue.close();
  });

  it('tries again after growing waits, for an hour, and logs neither address nor contents', async () => {
    const attempts: number[] = [];
    const queue = new MailQueue(async () => {
      attempts.push(Date.now());
      throw new Error('connect ECONNREFUSED');
    }, log);
    queue.send(mailTo('ada@example.com'));
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    const [first = 0, ...later] = attempts;
    const last = later.at(-1) ?? 0;
    expect(later.slice(0, 4).map((time) => time - first)).toEqual([2000, 6000, 14_000, 30_000]);
    expect(last - first).toBeGreaterThan(45 * MINUTE);
    expect(last - first).toBeLessThanOrEqual(60 * MINUTE);
    expect(Math.max(...later.map((time, index) => time - (attempts[index] ?? 0)))).toBe(10 * MINUTE);
    expect(logged.at(-1)).toBe(`error A mail was given up; attempts: ${attempts.length}. connect ECONNREFUSED`);
    expect(logged.join()).not.toMatch(/ada|secret-link/);
    await queue.close();
  });

  it('sends what can be sent while another mail waits for its next attempt', async () => {
    const sent: string[] = [];
    let isStubborn = true;
    const queue = new MailQueue(async ({ to }) => {
      if (to === 'a' && isStubborn) throw new Error('later');
      sent.push(to);
    }, log);
    queue.send(mailTo('a'));
    queue.send(mailTo('b'));
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual(['b']);
    isStubborn = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent).toEqual(['b', 'a']);
    await queue.close();
  });

  it('gives up at once what the mail server will not take', async () => {
    let attemptCount = 0;
    const queue = new MailQueue(async () => {
      attemptCount++;
      throw new MailRefusal('550');
    }, log);
    queue.send(mailTo('a'));
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    expect(attemptCount).toBe(1);
    expect(logged).toEqual(['error A mail was given up; attempts: 1. 550']);
    await queue.close();
  });

  it('ends an attempt that hangs, and goes on', async () => {
    const sent: string[] = [];
    const queue = new MailQueue(async ({ to }, signal) => {
      if (to === 'a') await aborted(signal);
      sent.push(to);
    }, log);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('it took too long')), ms);
      return abort.signal;
    });
    queue.send(mailTo('a'));
    queue.send(mailTo('b'));
    await vi.advanceTimersByTimeAsync(60_100);
    vi.restoreAllMocks();
    expect(sent).toEqual(['b']);
    expect(logged).toEqual(['warn A mail could not be sent; the next attempt is in 2 s. it took too long']);
    await queue.close();
  });

  it('holds a thousand mails', async () => {
    let sentCount = 0;
    const queue = new MailQueue(async () => void sentCount++, log);
    for (let count = 0; count < 1001; count++) queue.send(mailTo('a'));
    expect(logged).toEqual(['error A mail was not sent: 1000 others wait for the mail server.']);
    while (sentCount < 1000) await vi.advanceTimersByTimeAsync(1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sentCount).toBe(1000);
    await queue.close();
  });

  it('lets the mail go that is being sent when it closes, and says how many it gives up', async () => {
    const sent: string[] = [];
    const queue = new MailQueue(async ({ to }) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      sent.push(to);
    }, log);
    for (const to of ['a', 'b', 'c']) queue.send(mailTo(to));
    await vi.advanceTimersByTimeAsync(10);
    const closed = queue.close();
    await vi.advanceTimersByTimeAsync(1000);
    await closed;
    expect(sent).toEqual(['a']);
    expect(logged).toEqual(['error The server stops; mails that were not sent: 2.']);
    queue.send(mailTo('d'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual(['a']);
    expect(logged.at(-1)).toBe('error A mail was not sent: the server stops.');
  });

  it('waits for that no longer than a moment', async () => {
    const queue = new MailQueue(async (_mail, signal) => aborted(signal), log);
    queue.send(mailTo('a'));
    await vi.advanceTimersByTimeAsync(10);
    const closed = queue.close();
    await vi.advanceTimersByTimeAsync(3000);
    await closed;
    expect(logged).toEqual(['error The server stops; mails that were not sent: 1.']);
  });
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
