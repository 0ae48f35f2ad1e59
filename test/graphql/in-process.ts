/** The schema on a database of this thread: what answers say, without what stands around them. */
import { expect } from 'vitest';
import { Operations } from '#api/graphql/operation';
import type { StorageGuardConfig } from '#config/config';
import type { AuthServices } from '#credentials/port';
import { ANONYMOUS } from '#domain/caller';
import { ChangeFeed } from '#ingest/change-feed';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { FRAME_MAKER } from '#resources/spans/present/frames/frame-maker';
import { createGraphqlSchema, type GraphqlParts } from '#server/graphql/schema';
import { relationalAggregates } from '#store/aggregates/aggregates';
import { type AggregateStore, openAggregateStore } from '#store/aggregates/aggregates.fixture';
import { relationalTextSearch } from '#store/search/text-search';
import type { ReadScope } from '#store/spans/rows/read-scope';
import { relationalSpanStore } from '#store/spans/read/store';
import type { GraphqlAnswer } from '../harness/graphql.ts';

const NO_REMOVER = {
  deleteProject: () => expect.fail('nothing is deleted'),
  deleteTraces: () => expect.fail('nothing is deleted'),
  deleteSpan: () => expect.fail('nothing is deleted'),
  moveTraces: () => expect.fail('nothing is moved'),
};

/** What the server works with, on one connection of this thread; nothing changes. */
export function schemaParts(scope: ReadScope, storageGuard: StorageGuardConfig | null = null): GraphqlParts {
  const { db, dialect } = scope;
  const aggregates = relationalAggregates(scope);
  const spans = relationalSpanStore(db, dialect, { span: presentSpan, otlp: presentOtlpSpan }, FRAME_MAKER);
  const search = relationalTextSearch(scope);
  const changes = new ChangeFeed();
  return {
    services: {
      read: () => scope,
      aggregates: () => aggregates,
      spans: () => spans,
      changes: () => changes,
      repricer: () => ({
        readState: async () => ({ isStale: false, job: null }),
        start: () => expect.fail('nothing starts'),
      }),
      bulkActions: () => ({ changed: () => expect.fail('nothing starts') }),
      readPrimary: () => scope,
      // Nobody signs in.
      auth: { config: { admins: [] as const } } as unknown as AuthServices,
      storageGuard,
    },
    runCommand: () => expect.fail('nothing changes'),
    search: () => search,
    remover: () => NO_REMOVER,
  };
}

/** A schema, and the spans that it is asked about. */
export interface InProcess {
  readonly store: AggregateStore;
  /** The whole answer, errors included; a fault fails the test. */
  ask<Data = Record<string, unknown>>(
    query: string,
    variables?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<GraphqlAnswer<Data>>;
  /** The data of an operation that succeeds. @throws Error with the errors */
  query<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
}

/** Opens it. */
export async function openInProcess(storageGuard: StorageGuardConfig | null = null): Promise<InProcess> {
  const store = await openAggregateStore();
  const operations = new Operations(await createGraphqlSchema(schemaParts(store.scope, storageGuard)));
  const onFault = (error: unknown) => expect.fail(error instanceof Error ? (error.stack ?? '') : String(error));
  const never = new AbortController().signal;
  async function ask<Data>(query: string, variables: Record<string, unknown> = {}, signal = never) {
    // As they come over HTTP, and go.
    const request = { query, variables: JSON.parse(JSON.stringify(variables)), operationName: null };
    const answer = await operations.run(request, { caller: ANONYMOUS, signal, onFault });
    return JSON.parse(JSON.stringify(answer)) as GraphqlAnswer<Data>;
  }
  return {
    store,
    ask,
    async query<Data>(query: string, variables?: Record<string, unknown>) {
      const { data, errors } = await ask<Data>(query, variables);
      if (errors !== undefined || data == null) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}
