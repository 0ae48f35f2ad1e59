import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { exportRequest, type RecordedSpan } from './otlp.ts';

const compress = promisify(gzip);
const MAX_ATTEMPTS = 8;
const MAX_WAIT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;
const RETRYABLE = new Set([429, 502, 503, 504]);

/** A reason to stop that the user can understand in one line. */
export class SendError extends Error {
  override name = 'SendError';
}

/** Where spans go, and with what. */
export interface Destination {
  /** Path included. */
  readonly url: string;
  /** An API key, or `null` for none. */
  readonly key: string | null;
}

/** Where to send traces on a server that may have a root path. */
export function tracesUrl(serverUrl: string): string {
  if (!/^https?:\/\//.test(serverUrl) || !URL.canParse(serverUrl)) {
    throw new SendError(`"${serverUrl}" is not a server address. Write it like http://localhost:6006.`);
  }
  const url = new URL(serverUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

/**
 * Sends the spans as one OTLP request in JSON and gzip, again while the server is busy.
 * @throws SendError when no server answers or it refuses.
 */
export async function sendSpans(
  { url, key }: Destination,
  spans: readonly RecordedSpan[],
): Promise<{ sentBytes: number; rejectedCount: number }> {
  const json = Buffer.from(JSON.stringify(exportRequest(spans)));
  const body = await compress(json);
  for (let attempt = 1; ; attempt++) {
    const response = await post(url, key, body);
    const text = await response.text();
    if (response.ok) return { sentBytes: json.length, rejectedCount: countRejected(url, text) };
    if (response.status === 401) throw new SendError(adviseOnKey(url, key));
    if (!RETRYABLE.has(response.status) || attempt === MAX_ATTEMPTS) {
      throw new SendError(
        `${url} refused the traces with status ${response.status}: ${text.slice(0, 300).trim() || '(no text)'}`,
      );
    }
    const waitMs = retryAfterMs(response.headers.get('retry-after')) ?? 500 * 2 ** (attempt - 1);
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, MAX_WAIT_MS)));
  }
}

function adviseOnKey(url: string, key: string | null): string {
  const { origin } = new URL(url);
  return key === null
    ? `${origin} asks for an API key. Create one there in Settings, API keys, and send it: \`npm run demo -- --key <key>\`, or set CAIRN_API_KEY.`
    : `${origin} does not accept this API key. It may be misspelled, expired or deleted; create another in Settings, API keys.`;
}

async function post(url: string, key: string | null, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new SendError(
      `No server answers at ${new URL(url).origin} (${reason || 'connection refused'}). ` +
        'Start one with `npm start`, or name another address: `npm run demo -- http://host:port`.',
    );
  }
}

/** The wait that a Retry-After header asks for, given in seconds or as a date. */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

function countRejected(url: string, text: string): number {
  if (text === '') return 0;
  try {
    const answer = JSON.parse(text) as { readonly partialSuccess?: { readonly rejectedSpans?: string | number } };
    return Number(answer.partialSuccess?.rejectedSpans ?? 0);
  } catch (error) {
    throw new SendError(`${url} does not answer like a server for traces. Is the address right?`, { cause: error });
  }
}
