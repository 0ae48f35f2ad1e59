/** What reader threads answer, as their callers know it. */
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Aggregates } from './aggregates/port.ts';
import type { SqlDialect } from './dialect/dialect.ts';
import type { LogBrowser } from './logs/port.ts';
import type { CostReader } from './spans/cost-port.ts';
import type { Tables } from './schema/tables.ts';
import type { TextSearch } from './search/port.ts';
import type { TelemetryBrowser } from './spans/browse-port.ts';
import type { SpanStore } from './spans/port.ts';
import { orUnavailable } from './threads/or-unavailable.ts';
import type { Readers } from './threads/reader-pool.ts';
import { remoteKysely } from './threads/remote-kysely.ts';

/** Everything that is read. */
export interface ReadPorts {
  readonly read: Kysely<Tables>;
  readonly spans: SpanStore & TelemetryBrowser & LogBrowser & CostReader;
  readonly search: TextSearch;
  readonly aggregates: Aggregates;
}

/** The ports whose methods are handlers of the readers. */
export function readPorts(dialect: SqlDialect, readers: Readers): ReadPorts {
  return {
    read: remoteKysely(dialect, ({ sql, parameters }: CompiledQuery) => {
      return orUnavailable(readers.call('query', [sql, parameters])) as Promise<QueryResult<unknown>>;
    }),
    spans: portOf<ReadPorts['spans']>(readers),
    search: portOf<TextSearch>(readers),
    aggregates: portOf<Aggregates>(readers),
  };
}

function portOf<Port extends object>(readers: Readers): Port {
  return new Proxy({} as Port, {
    get:
      (_target, method) =>
      (...parameters: unknown[]) =>
        orUnavailable(readers.call(String(method), parameters)),
  });
}
