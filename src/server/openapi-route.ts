/** The OpenAPI document. The page that shows it is one of the web UI. */
import { z } from 'zod';
import type { OpenApiDocument } from '#api/rest/openapi';
import { defineRoute, type Route } from '#api/rest/route';
import { servicePolicy } from './policy.ts';

/** `/openapi.json` with that document. */
export function openApiRoute(document: () => OpenApiDocument): Route {
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this document',
    tag: 'service',
    access: servicePolicy.readOpenApi,
    replies: { 200: { description: 'OpenAPI 3.1.', contentType: 'application/json', schema: z.looseObject({}) } },
    handler: async () => ({ body: document() }),
  });
}
