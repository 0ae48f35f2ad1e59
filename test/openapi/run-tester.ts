/** Runs schemathesis, a property-based tester, which makes requests from the OpenAPI document and judges the answers by it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Shown } from '../harness/accounts.ts';
import { type AskedOperation, followEvents } from './progress.ts';
import { NAMES } from './stored-data.ts';

/** Which requests are made. */
export interface TesterOptions {
  /** The Python that has the tester. */
  readonly python: string;
  /** Sent with every request. */
  readonly headers: Shown;
  /** Operations of which no invalid requests are made. */
  readonly validOnly?: readonly string[];
  readonly parameters: readonly string[];
  /** Told of each operation once it was asked for. */
  readonly onAsked?: (asked: AskedOperation) => void;
  /** Ends the run: what was found until then is printed. */
  readonly signal?: AbortSignal;
}

/** How a run ended, and what it printed. */
export interface TesterResult {
  readonly code: number | null;
  readonly output: string;
}

/** Of a server that holds what `stored-data.ts` stores. */
export async function runTester(
  url: string,
  { python, headers, validOnly = [], parameters, onAsked, signal }: TesterOptions,
): Promise<TesterResult> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-openapi-'));
  try {
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(await readDocument(url, headers)));
    const config = join(folder, 'schemathesis.toml');
    const known = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
    await writeFile(config, [known, ...validOnly.map(askValidOnly), nameThings()].join('\n'));
    const events = join(folder, 'events.ndjson');
    const child = spawn(
      join(dirname(python), 'schemathesis'),
      [
        '--config-file',
        config,
        '--no-color',
        'run',
        document,
        '--url',
        url,
        ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]),
        '--no-shrink',
        '--warnings',
        'off',
        ...(onAsked === undefined ? [] : ['--report', 'ndjson', '--report-ndjson-path', events]),
        ...parameters,
      ],
      // It keeps what it found in the folder.
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environmentOf(python) } },
    );
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    signal?.addEventListener('abort', () => endRun(child, isOver));
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
      onAsked && followEvents(events, isOver, onAsked),
    ]);
    return { code: child.exitCode, output: output + errors };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** It ends by itself when it is interrupted, but for a request that it waits for. */
function endRun(child: ChildProcess, isOver: () => boolean): void {
  child.kill('SIGINT');
  setTimeout(() => isOver() || child.kill('SIGKILL'), END_MS).unref();
}

const END_MS = 60_000;

/** The parts of the document that are read here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  examples?: Readonly<Record<string, { readonly value: string }>>;
}

/** The document, with names of what is stored as examples of what paths name: the deterministic phase takes no others. */
async function readDocument(url: string, headers: Shown): Promise<Document> {
  const document = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as Document;
  const operations = Object.values(document.paths).flatMap((ofPath) => Object.values(ofPath));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const names = NAMES[`${parameter.in}.${parameter.name}`];
    if (names === undefined) continue;
    parameter.examples = Object.fromEntries(names.map((value, place) => [String(place), { value }]));
  }
  return document;
}

/** Tables of Unicode's characters take two seconds to make, so runs share them. */
function environmentOf(python: string): Readonly<Record<string, string>> {
  return {
    PYTHONIOENCODING: 'utf-8',
    HYPOTHESIS_STORAGE_DIRECTORY: join(dirname(python), '../hypothesis'),
  };
}

function askValidOnly(operationId: string): string {
  return `[[operations]]\ninclude-operation-id = "${operationId}"\ngeneration.mode = "positive"`;
}

/** Half of the time, names of what is stored. */
function nameThings(): string {
  const dictionaries = Object.entries(NAMES).map(
    ([place, values]) => `[dictionaries."${place}"]\nvalues = ${JSON.stringify(values)}`,
  );
  const bindings = Object.keys(NAMES).map((place) => `"${place}" = { dictionary = "${place}", probability = 0.5 }`);
  return [...dictionaries, '[parameters]', ...bindings].join('\n');
}
