/** Reads the bodies of operations. What arrives takes room as answers do, so that many who send slowly are bounded too. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { noRoom } from '#api/no-room';
import { AppError } from '#base/errors';
import { appendGrowing, FIRST_BYTES, GrowingBytes } from '../growing-bytes.ts';
import { receiveBytes } from '../receive-bytes.ts';

/** Operations are text, and what they change is small. */
const MAX_BYTES = 1024 * 1024;

/** Later than the server's own end of a request that does not arrive, which says so. */
const DEADLINE_MS = 120_000;

/** Lets the routes of a scope take JSON, and nothing else. */
export function parseOperationBodies(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error');
  // A page of any origin may send a form or text without being asked first; JSON it may not.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', (request, payload, done) => {
    const fail = (error: unknown) => {
      payload.resume();
      done(error as Error);
    };
    readText(request, payload).then((text) => void parseJson(request, text, done), fail);
  });
}

/**
 * @throws AppError `too_large`
 * @throws AppError `unsupported` for a compressed body
 * @throws AppError `unavailable` without room
 */
async function readText({ headers, answerShare }: FastifyRequest, payload: Readable): Promise<string> {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported', 'Send the body without a Content-Encoding.');
  }
  assertSize(Number(headers['content-length'] ?? 0));
  const makeRoom = async (bytes: number): Promise<void> => {
    if (!answerShare.grow(bytes)) throw noRoom();
  };
  await makeRoom(FIRST_BYTES);
  const body = new GrowingBytes(FIRST_BYTES);
  const take = (chunk: Buffer) => {
    assertSize(body.length + chunk.length);
    return appendGrowing(body, chunk, MAX_BYTES, makeRoom);
  };
  await receiveBytes(payload, take, DEADLINE_MS);
  return Buffer.from(body.finish().buffer).toString();
}

function assertSize(bytes: number): void {
  if (bytes > MAX_BYTES) throw new AppError('too_large', `The body is larger than ${MAX_BYTES} bytes.`);
}
