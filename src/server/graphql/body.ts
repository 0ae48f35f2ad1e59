/** Reads the bodies of operations: as much as they may have, and all of them together as much as there is room for. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { shareOfAddress } from '#api/client-address';
import { AppError } from '#base/errors';
import { markLosses } from '#base/json';
import { ByteBudget, type ByteBudgetOptions } from '#ingest/budget';
import { appendGrowing, FIRST_BYTES, GrowingBytes } from '../growing-bytes.ts';
import { receiveBytes } from '../receive-bytes.ts';

/** Operations are text, and what they change is small. */
const MAX_BYTES = 1024 * 1024;

/** Bounds on what has arrived of all bodies, beyond the first bytes of each, which are all that most have. */
const ROOM: ByteBudgetOptions = { maxBytes: 64 * 1024 * 1024, waitMs: 1000, maxWaiting: 1000 };

/** Later than the server's own end of a request that does not arrive, which says so. */
const DEADLINE_MS = 120_000;

/** Lets the routes of a scope take JSON, and nothing else. */
export function parseOperationBodies(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error');
  const budget = new ByteBudget(ROOM);
  // A page of any origin may send a form or text without being asked first; JSON it may not.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', (request, payload, done) => {
    const fail = (error: unknown) => {
      payload.resume();
      done(error as Error);
    };
    const address = shareOfAddress(request.clientAddress ?? '');
    readText(request.headers, payload, budget, address).then(
      (text) => void parseJson(request, markLosses(text), done),
      fail,
    );
  });
}

/**
 * @throws AppError `too_large`
 * @throws AppError `unsupported` for a compressed body
 * @throws AppError `unavailable` without room
 */
async function readText(
  headers: IncomingHttpHeaders,
  payload: Readable,
  budget: ByteBudget,
  address: string,
): Promise<string> {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported', 'Send the body without a Content-Encoding.');
  }
  assertSize(Number(headers['content-length'] ?? 0));
  using reservation = await budget.reserve(0, { address });
  const taken = new AbortController();
  reservation.arriving((error) => taken.abort(error));
  const body = new GrowingBytes(FIRST_BYTES);
  const take = (chunk: Buffer) => {
    assertSize(body.length + chunk.length);
    return appendGrowing(body, chunk, MAX_BYTES, (more) => reservation.grow(more));
  };
  await receiveBytes(payload, take, DEADLINE_MS, [taken.signal]);
  return Buffer.from(body.finish().buffer).toString();
}

function assertSize(bytes: number): void {
  if (bytes > MAX_BYTES) throw new AppError('too_large', `The body is larger than ${MAX_BYTES} bytes.`);
}
