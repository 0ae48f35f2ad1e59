/** Passwords that people type, and those that are made up for them. */
import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { AppError } from '#base/errors';
import { assertPassword } from '#domain/account';

/** The line that somebody types, which is not shown, or the first line of what is piped in. */
export async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(new AppError('unavailable', 'Stopped. Nothing has changed.')));
      lines.once('close', () => reject(new AppError('unavailable', 'No password was given. Nothing has changed.')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** A password that satisfies every policy and can be typed from a screen. */
export function makeUpPassword(): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
    try {
      assertPassword(password, true);
      return password;
    } catch {
      // One of the kinds of characters is absent: most are not.
    }
  }
}

const LENGTH = 20;

/** Without those that look alike. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789_+!@#%';
