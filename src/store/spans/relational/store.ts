/** The span store on a relational engine. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SpanStore } from '../port.ts';
import type { SpanPresenters } from '../presenter.ts';
import { EnvelopeCache } from './envelope-cache.ts';
import { findSession, listSessions, listSessionTraces } from './list-sessions.ts';
import { listSpans } from './list-spans.ts';
import { listTraces } from './list-traces.ts';
import { presentSpans } from './present-spans.ts';
import { readSpanOriginal, readTraceOriginal } from './read-original.ts';

/** Reads through the handle; originals are decoded in the calling thread, so it belongs into a reader's. */
export function relationalSpanStore(db: Kysely<Tables>, dialect: SqlDialect, presenters: SpanPresenters): SpanStore {
  const scope = { db, dialect, envelopes: new EnvelopeCache() };
  return {
    listSpans: (filter, page) => listSpans(scope, filter, page),
    presentSpans: (filter, page, as) => presentSpans(scope, filter, page, presenters[as]),
    listTraces: (filter, page, includeSpans) => listTraces(scope, filter, page, includeSpans),
    listSessions: (filter, page) => listSessions(scope, filter, page),
    findSession: (ref, projectRowId) => findSession(scope, ref, projectRowId),
    listSessionTraces: (rowIds) => listSessionTraces(scope, rowIds),
    readTraceOriginal: (ref, format) => readTraceOriginal(scope, ref, format),
    readSpanOriginal: (ref, format) => readSpanOriginal(scope, ref, format),
  };
}
