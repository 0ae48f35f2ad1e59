/** Operations are sent as JSON. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonParser } from '#api/rest/json-parser';
import { markLosses } from '#base/json';
import type { TextBodies } from '../text-bodies.ts';

/** Operations are text, and what they change is small. */
const MAX_BYTES = 1024 * 1024;

/** Lets the routes of a scope take JSON, and nothing else. */
export function parseOperationBodies(scope: FastifyInstance, bodies: TextBodies): void {
  const parseJson = jsonParser(scope, 'error');
  // A page of any origin may send a form or text without being asked first; JSON it may not.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', async (request: FastifyRequest) =>
    parseJson(request, markLosses(await bodies.read(request, MAX_BYTES))),
  );
}
