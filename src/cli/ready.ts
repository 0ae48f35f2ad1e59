import { CAIRN_VERSION } from '#base/version';
import type { Config } from '#config/config';
import { describeDataPlace } from './data-place.ts';

/** What a person sees when the server is ready: where it is, where the data lies, how to send a first trace. */
export function formatReady(
  config: Pick<Config, 'database'>,
  server: { readonly httpUrl: string; readonly grpcAddress: string | null },
): string {
  const { database } = config;
  const isTemporary = database.engine === 'sqlite' && database.isTemporary;
  const place = describeDataPlace(database);
  const places = [
    ['Open', server.httpUrl],
    ['OTLP over HTTP', `${server.httpUrl}/v1/traces`],
    ...(server.grpcAddress === null ? [] : [['OTLP over gRPC', server.grpcAddress]]),
    ['Data', isTemporary ? `${place} (temporary: deleted when the server stops)` : place],
  ];
  return `
Cairn ${CAIRN_VERSION} is ready.

${places.map(([name, place]) => `  ${name?.padEnd(16)}${place}`).join('\n')}

  Send a first trace: set OTEL_EXPORTER_OTLP_ENDPOINT=${server.httpUrl} (or PHOENIX_COLLECTOR_ENDPOINT, for Phoenix's
  clients) in an instrumented application and run it. Stop with Ctrl+C.

`;
}
