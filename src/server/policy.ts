/** What the server offers beside its resources. */
import { definePolicy, type Permission } from '#domain/access';

/**
 * Routes about the server itself. Those for people and programs without credentials tell nothing of what is stored. Metrics can
 * also be read at a port of their own, see `metrics-listener.ts`.
 */
export const servicePolicy = definePolicy('service', {
  checkHealth: 'public',
  checkReadiness: 'public',
  readVersion: 'public',
  readMetrics: 'read',
  readOpenApi: 'read',
  openDocs: 'read',
  /** Of the web UI, with files of all pages: what a page shows it reads by the interfaces. */
  openPages: 'public',
  /** Leads from an id that others know to the page of the object: tells which project it is in. */
  redirect: 'read',
});

/** Operations of GraphQL as a whole; each of their fields has a policy of its own beside it. */
export const operationPolicy = definePolicy('operations', {
  run: 'identify',
  openPage: 'read',
});

/** OTLP by either transport, by signal. A key's projects are checked where its spans and log records are read and stored. */
export const ingestionPolicy = definePolicy('ingestion', {
  traces: { access: 'ingest', within: 'project' },
  logs: { access: 'ingest', within: 'project' },
  metrics: { access: 'ingest', within: 'project' },
});

/** What people open in a browser, also by a link that stands elsewhere. */
export const VISITED: ReadonlySet<Permission | undefined> = new Set([
  servicePolicy.openPages,
  servicePolicy.openDocs,
  servicePolicy.redirect,
  operationPolicy.openPage,
]);
