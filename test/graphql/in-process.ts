/** The schema on a database of this thread: what answers say, without what stands around them. */
import { expect } from 'vitest';
import { Operations } from '#api/graphql/operation';
import { ANONYMOUS } from '#domain/caller';
import { ChangeFeed } from '#ingest/change-feed';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { FRAME_MAKER } from '#resources/spans/present/frames/frame-maker';
import { createGraphqlSchema } from '#server/graphql/schema';
import { relationalAggregates } from '#store/aggregates/aggregates';
import { type AggregateStore, openAggregateStore } from '#store/aggregates/aggregates.fixture';
import { relationalDeletionBrowser } from '#store/deletion/relational-deletions';
import { listCustomPrices } from '#store/prices/relational-prices';
import { relationalProjectSums } from '#store/relational-project-sums';
import { relationalProjectBrowser, relationalProjectStore, relationalProjectWriter } from '#store/relational-projects';
import { relationalRetentionStore, relationalRetentionWriter } from '#store/retention/relational-retention';
import { relationalTextSearch } from '#store/search/text-search';
import type { ReadScope } from '#store/spans/relational/read-scope';
import { relationalSpanStore } from '#store/spans/relational/store';
import type { GraphqlAnswer } from '../harness/graphql.ts';

const NO_REMOVER = {
  deleteProject: () => expect.fail('nothing is deleted'),
  deleteTraces: () => expect.fail('nothing is deleted'),
  deleteSpan: () => expect.fail('nothing is deleted'),
  moveTraces: () => expect.fail('nothing is moved'),
};

/** What the server works with, on one connection of this thread; nothing is deleted, and no price changes. */
export function schemaParts(scope: ReadScope): Parameters<typeof createGraphqlSchema>[0] {
  const { db, dialect } = scope;
  const projects = {
    ...relationalProjectStore(db, dialect),
    ...relationalProjectBrowser(db, dialect),
    ...relationalProjectWriter(db),
  };
  const sums = relationalProjectSums(db, dialect);
  const aggregates = relationalAggregates(scope);
  const spans = relationalSpanStore(db, dialect, { span: presentSpan, otlp: presentOtlpSpan }, FRAME_MAKER);
  const search = relationalTextSearch(scope);
  const policies = { ...relationalRetentionStore(db, dialect), ...relationalRetentionWriter(db, dialect) };
  const deletions = relationalDeletionBrowser(db);
  const changes = new ChangeFeed();
  return {
    projects: () => projects,
    sums: () => sums,
    aggregates: () => aggregates,
    spans: () => spans,
    search: () => search,
    remover: () => NO_REMOVER,
    policies: () => policies,
    deletions: () => deletions,
    changes: () => changes,
    tellOthers: () => undefined,
    prices: () => ({ listPrices: () => listCustomPrices(db), changePrice: () => expect.fail('nothing changes') }),
    repricer: () => ({
      readState: async () => ({ isStale: false, job: null }),
      start: () => expect.fail('nothing starts'),
    }),
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
export async function openInProcess(): Promise<InProcess> {
  const store = await openAggregateStore();
  const operations = new Operations(createGraphqlSchema(schemaParts(store.scope)));
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
