/** Masking: nothing masked comes through, and nothing else changes. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#base/errors';
import { redactRequest } from '#otlp/redact';
import { toPlain } from '../../oracle/otlp-plain.ts';
import { hold, type Target } from '../target.ts';
import { createProtobufRequest, decodeOrRefuse } from './protobuf.ts';

const MASK = '__REDACTED__';

/** Requests whose attributes are masked by their keys. */
export const redactionTarget: Target = {
  name: 'redaction',
  create: createProtobufRequest,
  check: (input) => {
    const [decoded, masked] = [decodeOrRefuse(input), redactOrRefuse(input)];
    if (masked === undefined) return hold(decoded === undefined, () => 'only the decoder accepts the request');
    const result = decodeOrRefuse(masked);
    hold(result !== undefined || decoded === undefined, () => 'the masked request is no protobuf');
    if (result === undefined) return;
    // What was broken in a masked value is gone.
    if (decoded === undefined) hold(holdsMask(toPlain(result)), () => 'only the masking accepts the request');
    else compare(toPlain(decoded), toPlain(result), 'request');
  },
};

/** Half of the keys without a dot; paths within values have one. */
function isMasked(key: string): boolean {
  return !key.includes('.') && key.length % 2 === 1;
}

function redactOrRefuse(input: Uint8Array): Uint8Array | undefined {
  try {
    return redactRequest(input, isMasked);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return undefined;
    throw error;
  }
}

function compare(before: unknown, after: unknown, path: string): void {
  if (typeof before !== 'object' || before === null || before instanceof Uint8Array) {
    hold(isDeepStrictEqual(before, after), () => `${path} is another`);
    return;
  }
  const [old, now] = [before, after] as [Plain, Plain];
  if ('malformed' in old) return hold('malformed' in now || holdsMask(now), () => `${path} is readable now`);
  if (typeof now['key'] === 'string' && 'value' in now) {
    // An attribute that was sent without a value has none to mask; of several keys in one any masks it.
    const isHidden = now['value'] === MASK || now['value'] === null;
    if (isMasked(now['key'])) hold(isHidden, () => `${path} is not masked`);
    if (now['value'] === MASK) return;
  }
  hold(isDeepStrictEqual(Object.keys(old), Object.keys(now)), () => `${path} has other members`);
  for (const [name, part] of Object.entries(old)) compare(part, now[name], `${path}.${name}`);
}

function holdsMask(value: unknown): boolean {
  if (value === MASK) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMask);
}

type Plain = Readonly<Record<string, unknown>>;
