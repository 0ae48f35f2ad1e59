/** The recorded requests of instrumentations, with what really happened: test/fixtures/otlp/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Truth } from './truth.ts';

/** One request as the exporter sent it. */
export interface RecordedRequest {
  /** Such as `02-chat.logs.binpb`. */
  readonly file: string;
  readonly signal: 'traces' | 'logs';
  readonly encoding: 'application/x-protobuf' | 'application/json';
  readonly isGrpc: boolean;
  readonly body: Uint8Array;
}

/** Whether the bytes of a scenario carry a fact: all of it, some, or nothing. */
export type Carried = boolean | 'part';

/** One scenario of an instrumentation. */
export interface RecordedScenario {
  readonly folder: string;
  readonly name: string;
  readonly truth: Truth;
  /** By the name of the fact. */
  readonly carried: Readonly<Record<string, Carried>>;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
}

/** All folders, in alphabetical order. */
export function listFolders(): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The scenarios of a folder, in the order recorded. */
export function readScenarios(folder: string): RecordedScenario[] {
  const { scenarios } = readJson(folder, 'truth.json') as { scenarios: readonly Truth[] };
  const { carried } = readJson(folder, 'wire.json') as { carried: Record<string, Record<string, Carried>> };
  const sent = new Map((readJson(folder, 'headers.json') as readonly Headers[]).map((one) => [one.file, one]));
  return scenarios.map((truth) => ({
    folder,
    name: truth.scenario,
    truth,
    carried: carried[truth.scenario] ?? {},
    requests: truth.files.map((file) => ({
      file,
      signal: file.includes('.logs.') ? 'logs' : 'traces',
      encoding: file.endsWith('.json') ? 'application/json' : 'application/x-protobuf',
      isGrpc: sent.get(file)?.protocol === 'grpc',
      body: readFileSync(join(ROOT, folder, file)),
    })),
  }));
}

const ROOT = join(import.meta.dirname, '../fixtures/otlp');

interface Headers {
  readonly file: string;
  readonly protocol: string;
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8'));
}
