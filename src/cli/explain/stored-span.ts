/** A stored span explained: by the server that has the data file open, or else from the data. */
import { AppError } from '#base/errors';
import type { Config, DatabaseConfig } from '#config/config';
import type { SpanReading } from '#normalize/explain/span-reading';
import { engineOf } from '#server/engine-of';
import { explainStoredSpan } from '#store/explain-stored-span';
import { inspectDataFile } from '#store/sqlite/inspect';
import { findLockHolder } from '#store/sqlite/server-lock';
import { describeDataPlace } from '../data-place.ts';
import { askServer } from '../running-server.ts';
import type { Explanation } from './explanation.ts';

/** @throws AppError `not_found`, or with what to do where the data cannot be read */
export async function findStoredSpan(config: Config, spanId: string): Promise<Explanation> {
  const { database } = config;
  const isHeld = database.engine === 'sqlite' && (database.isTemporary || findLockHolder(database.path) !== undefined);
  const reading = isHeld ? await askForReading(config, spanId) : await read(database, spanId);
  if (reading !== undefined) return { spans: [reading], remarks: [] };
  const place = isHeld ? 'the data of the server' : describeDataPlace(database);
  throw new AppError('not_found', `There is no span ${spanId} in ${place}.`);
}

async function read(database: DatabaseConfig, spanId: string): Promise<SpanReading | undefined> {
  const engine = engineOf({ database, storageGuard: null });
  if (engine.engine === 'sqlite') assertReadable(engine.path);
  else await (await import('#store/postgres/claim')).assertPostgresIsCurrent(engine);
  return explainStoredSpan(engine, spanId);
}

function assertReadable(path: string): void {
  const file = inspectDataFile(path);
  switch (file.state) {
    case 'ours':
      if (file.pendingMigrations === 0) return;
      throw refusal(`${path} was written by an older version of Cairn: start the server once to bring it up to date.`);
    case 'absent':
    case 'empty':
      throw refusal(`There is no data in ${path}: name the folder with --data.`);
    default:
      throw refusal(`${path} cannot be read: ${file.what}.`);
  }
}

function refusal(message: string): AppError {
  return new AppError('failed_precondition', message);
}

const QUERY = `query Reading($spanId: String!) {
  span: getSpanByOtelId(spanId: $spanId) {
    spanId
    name
    spanKind
    context { traceId }
    reading {
      isComplete
      dialects { name title evidence }
      sources { label count fate to fault }
      outputs { key by from dependsOn }
    }
  }
}`;

/** What the server answers; its schema holds it to that. */
interface Answer {
  readonly data?: {
    readonly span: {
      readonly spanId: string;
      readonly name: string;
      readonly spanKind: string;
      readonly context: { readonly traceId: string };
      readonly reading: Omit<SpanReading, 'traceId' | 'spanId' | 'name' | 'kind'>;
    } | null;
  } | null;
  readonly errors?: readonly { readonly message: string }[];
}

async function askForReading(config: Config, spanId: string): Promise<SpanReading | undefined> {
  const body = { query: QUERY, variables: { spanId } };
  const { data, errors } = (await askServer(config, '/graphql', { method: 'POST', body })) as Answer;
  const [error] = errors ?? [];
  if (error !== undefined) throw refusal(`The server could not explain the span: ${error.message}`);
  if (data?.span == null) return undefined;
  const { name, spanKind, context, reading } = data.span;
  return { traceId: context.traceId, spanId, name, kind: spanKind.toUpperCase() as SpanReading['kind'], ...reading };
}
