import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Fastify's parser of JSON, as a promise.
 * @param ofPrototypes what is done with a member `__proto__`, or a `constructor` that has a `prototype`
 */
export function jsonParser(
  scope: FastifyInstance,
  ofPrototypes: 'error' | 'remove',
): (request: FastifyRequest, text: string) => Promise<unknown> {
  const parse = scope.getDefaultJsonParser(ofPrototypes, ofPrototypes);
  return (request, text) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    void parse(request, text, (error, value) => (error === null ? resolve(value) : reject(error)));
    return promise;
  };
}
