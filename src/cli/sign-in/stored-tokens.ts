/** What `cairn login` keeps: tokens by the address of the server, in a file that only its user can read. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#base/errors';
import type { Config } from '#config/config';

const TOKENS = z.object({ access: z.string(), refresh: z.string(), expiresAtMs: z.number() });

/** The tokens of one server. */
export type StoredTokens = z.infer<typeof TOKENS>;

/** The tokens of a server; `undefined` where nobody signed in. @throws AppError `failed_precondition` */
export async function readTokens(
  config: Pick<Config, 'workingDirectory'>,
  url: string,
): Promise<StoredTokens | undefined> {
  return (await readAll(pathOf(config)))[url];
}

/** Keeps the tokens of a server, or forgets them. */
export async function writeTokens(
  config: Pick<Config, 'workingDirectory'>,
  url: string,
  tokens: StoredTokens | undefined,
): Promise<void> {
  const path = pathOf(config);
  const { [url]: _before, ...others } = await readAll(path);
  await mkdir(config.workingDirectory, { recursive: true });
  // A new file, complete before it has its name: one that is there may be open to others.
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const text = JSON.stringify(tokens === undefined ? others : { ...others, [url]: tokens });
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

async function readAll(path: string): Promise<Readonly<Record<string, StoredTokens>>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('failed_precondition', `${path} cannot be read: delete it, then run cairn login.`, {
      cause: error,
    });
  }
  try {
    return z.record(z.string(), TOKENS).parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('failed_precondition', `${path} is damaged: delete it, then run cairn login.`, { cause: error });
  }
}

function pathOf({ workingDirectory }: Pick<Config, 'workingDirectory'>): string {
  return join(workingDirectory, 'sign-in.json');
}
