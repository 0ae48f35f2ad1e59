/** The snippets of the README do what it says, word for word but for the address. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython } from '../harness/python.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const python = findPython();

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

describe('the README', () => {
  it('sends a first trace from TypeScript and reads it back', async () => {
    const file = join(import.meta.dirname, `readme-${process.pid}.mts`);
    await writeFile(file, snippet('ts'));
    try {
      await promisify(execFile)(process.execPath, [file]);
    } finally {
      await rm(file);
    }
    await expectFirstTrace();
  });

  const why = python.program === null ? ` (skipped: ${python.reason})` : '';
  it.skipIf(python.program === null)(`sends a first trace from Python and reads it back${why}`, async () => {
    await promisify(execFile)(python.program ?? '', ['-c', snippet('python')]);
    await expectFirstTrace();
  });

  it('names only documents that exist', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path as string);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(existsSync(new URL(`../../${link}`, import.meta.url)), link).toBe(true);
  });
});

function snippet(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(README) ?? [];
  return (text ?? '').replaceAll('http://localhost:6006', server.url);
}

async function expectFirstTrace(): Promise<void> {
  const { data } = await getJson<{ data: unknown[] }>(`${server.url}/v1/projects/first/spans`);
  expect(data[0]).toMatchObject({ name: 'ask', attributes: { 'input.value': 'Where is my parcel?' } });
}
