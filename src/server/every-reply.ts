import { CAIRN_VERSION, PHOENIX_COMPATIBLE_VERSION } from '#base/version';

/**
 * The headers of every answer, errors included. Pages replace the policy of their contents by one of their own.
 * @param isHttps whether browsers reach the server over HTTPS; they keep to that for a year
 */
export function headersOfEveryReply(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? { ...EVERY_REPLY, 'strict-transport-security': 'max-age=31536000' } : EVERY_REPLY;
}

const EVERY_REPLY = {
  'x-phoenix-server-version': PHOENIX_COMPATIBLE_VERSION,
  'x-cairn-version': CAIRN_VERSION,
  'x-colab-notebook-cache-control': 'no-cache',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
