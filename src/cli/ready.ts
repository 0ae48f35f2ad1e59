import { unusualGrpcPort } from '#base/grpc-port';
import { CAIRN_VERSION } from '#base/version';
import type { Config } from '#config/config';
import type { FirstPassword } from '#server/authentication/prepare-accounts';
import { describeDataPlace } from './data-place.ts';

/** What a person sees when the server is ready: where it is, where the data lies, how to send a first trace. */
export function formatReady(
  config: Pick<Config, 'addresses' | 'database'> & { readonly auth: Pick<Config['auth'], 'isEnabled'> },
  server: { readonly httpUrl: string; readonly grpcAddress: string | null },
): string {
  const { addresses, auth, database } = config;
  const isTemporary = database.engine === 'sqlite' && database.isTemporary;
  const place = describeDataPlace(database);
  const places = [
    ['Open', server.httpUrl],
    ['OTLP over HTTP', `${server.httpUrl}/v1/traces`],
    ...(server.grpcAddress === null ? [] : [['OTLP over gRPC', server.grpcAddress]]),
    ...(EVERY_ADDRESS.has(addresses[0]) ? [['Listening on', `every address of this machine (${addresses[0]})`]] : []),
    ['Data', isTemporary ? `${place} (temporary: deleted when the server stops)` : place],
  ];
  return `
Cairn ${CAIRN_VERSION} is ready.

${places.map(([name, place]) => `  ${name?.padEnd(16)}${place}`).join('\n')}

  Send a first trace: set OTEL_EXPORTER_OTLP_ENDPOINT=${server.httpUrl} (or PHOENIX_COLLECTOR_ENDPOINT, for Phoenix's
  clients) in an instrumented application and run it. ${portHint(server.grpcAddress)}${auth.isEnabled ? KEY_HINT : ''}Stop with Ctrl+C.

`;
}

/** What others reach as well; the links say `localhost` then, unless a root URL is set. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Phoenix's Python client exports over gRPC unless it is told otherwise, and takes the usual port for granted. */
function portHint(grpcAddress: string | null): string {
  const port = grpcAddress === null ? undefined : unusualGrpcPort(grpcAddress);
  return port === undefined
    ? ''
    : `Phoenix's Python client
  needs PHOENIX_GRPC_PORT=${port}, too. `;
}

const KEY_HINT = `It needs an API key, from Settings, API keys: set
  OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20<key>" (or PHOENIX_API_KEY). `;

/** How to sign in for the first time; a password that was made up is shown this once. */
export function formatFirstPassword({ email, madeUp }: FirstPassword): string {
  const password =
    madeUp === null
      ? 'the password in SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD, which is `admin` unless you set it.'
      : `this password, which is not shown again: ${madeUp.reveal()}`;
  return `  Sign in as ${email} with ${password}\n  You choose a new one before anything else.\n\n`;
}
