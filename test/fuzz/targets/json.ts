/** The OTLP JSON transcoder against the oracle: on JSON they agree span by span, and it refuses anything else. */
import { AppError } from '#base/errors';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { readJsonRequest } from '../../oracle/otlp-json.ts';
import { toPlain } from '../../oracle/otlp-plain.ts';
import { JSON_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { type Json, mutateJson } from '../mutate-json.ts';
import { pick, type Random } from '../random.ts';
import { hold, type Target } from '../target.ts';
import { assertSame, decodeOrRefuse, decodeStrictly } from './protobuf.ts';

/** Requests as OTLP JSON, changed as values, as text or both. */
export const jsonTarget: Target = {
  name: 'json',
  create: createJsonRequest,
  check: (input) => {
    const transcoded = transcodeOrRefuse(input);
    const text = Buffer.from(input).toString('utf8');
    const expected = hasLongInteger(text) ? undefined : readJsonRequest(parse(text));
    if (transcoded === undefined) {
      hold(expected === undefined, () => 'only the oracle accepts the request');
      return;
    }
    hold(isObject(parse(text)), () => 'the request is no JSON object, and is accepted');
    const decoded = decodeOrRefuse(transcoded);
    hold(decoded !== undefined, () => 'the transcoded request is no protobuf');
    const plain = toPlain(decoded);
    assertSame(plain, decodeStrictly(transcoded));
    if (expected !== undefined) assertSame(plain, expected);
    else hold(hasLongInteger(text), () => 'only Cairn accepts the request');
  },
};

function createJsonRequest(random: Random): Uint8Array {
  let request = JSON.parse(pick(random, JSON_REQUESTS)) as Json;
  for (let change = random(5); change > 0; change--) request = mutateJson(random, request);
  return mutateBytes(random, Buffer.from(JSON.stringify(request)), random(4) === 0 ? 1 + random(3) : 0);
}

function transcodeOrRefuse(input: Uint8Array): Uint8Array | undefined {
  try {
    return transcodeJsonRequest(input);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return undefined;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it holds a number that a JavaScript number may not hold, which the oracle would get wrong. */
function hasLongInteger(text: string): boolean {
  return /[[:,\s]-?\d{16}/.test(text);
}
