/** What the server offers beside its resources. */
import { definePolicy } from '#domain/access';

/** Routes about the server itself. Those for people and programs without credentials tell nothing of what is stored. */
export const servicePolicy = definePolicy('service', {
  checkHealth: 'public',
  checkReadiness: 'public',
  readVersion: 'public',
  readMetrics: 'public',
  readOpenApi: 'public',
  openDocs: 'public',
  /** Of the web UI, with files of all pages: what a page shows it reads by the interfaces. */
  openPages: 'public',
});

/** Operations of GraphQL as a whole; each of their fields has a policy of its own beside it. */
export const operationPolicy = definePolicy('operations', {
  run: 'read',
  openPage: 'read',
});

/** OTLP by either transport, by signal. */
export const ingestionPolicy = definePolicy('ingestion', { traces: 'write', logs: 'write', metrics: 'write' });
