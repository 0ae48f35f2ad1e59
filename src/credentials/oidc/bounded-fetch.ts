/** How providers are asked: each answer in bounds, and nothing over a network in clear. */
import type { CustomFetchOptions } from 'openid-client';
import { isConfidential } from '#config/provider-values';

/** How long a provider may take to answer one request. */
export const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Asks a provider, and reads the whole answer.
 * @throws Error for an address over a network without encryption, an answer that is too large, and as `fetch` does
 */
export async function fetchBounded(
  url: string,
  request: Pick<CustomFetchOptions, 'method' | 'headers'> & Partial<CustomFetchOptions>,
): Promise<Response> {
  if (!isConfidential(new URL(url))) throw new Error('the provider names an address without https');
  const { body, signal, ...rest } = request;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch(url, {
    ...rest,
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    // Requests have a form or nothing.
    ...(body instanceof URLSearchParams && { body }),
  });
  const { status, statusText, headers } = response;
  return new Response(await readBounded(response), { status, statusText, headers });
}

async function readBounded({ body, status }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  // One may not be made with a body then, either.
  if (body === null || NO_BODY.has(status)) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`the provider’s answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Many times what providers send: keys, or the claims of somebody in thousands of groups. */
const MAX_BYTES = 1024 * 1024;

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
