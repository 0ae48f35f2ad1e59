/** The OpenAPI document of a table of routes. Schemas with an `id` become components. */
import { z } from 'zod';
import { FORM_TYPE, type ReplyDeclaration, type Route } from './route.ts';

/** A JSON object of the document. */
export interface OpenApiObject {
  [key: string]: unknown;
}

/** An OpenAPI 3.1 document. Each operation says in `x-access` who may call it. */
export interface OpenApiDocument extends OpenApiObject {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiObject>>>>;
}

/**
 * Describes the routes, in their order.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function describeRoutes(
  routes: readonly Route[],
  info: { readonly title: string; readonly version: string; readonly description: string },
): OpenApiDocument {
  const components: OpenApiObject = {};
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(route, components) };
  }
  return {
    openapi: '3.1.1',
    info,
    // Relative to the document, so that it holds below any root path.
    servers: [{ url: './', description: 'This server' }],
    // None is needed while authentication is off.
    security: [{}, { bearer: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
    },
  };
}

const VALIDATION_PROBLEMS = z
  .object({
    detail: z.array(
      z.object({
        type: z.string(),
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        input: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'ValidationProblems' });

const UNREADABLE: ReplyDeclaration = {
  description: 'A parameter is not valid. Errors in form are reported as JSON, errors in meaning as text.',
  contentType: ['application/json', 'text/plain'],
  schema: VALIDATION_PROBLEMS,
};

function describe(route: Route, components: OpenApiObject): OpenApiObject {
  const { operationId, summary, description, tag, access, params, query } = route;
  const body = bodyOf(route);
  const takesInput = params !== undefined || query !== undefined || body !== undefined;
  const replies = Object.entries({ ...(takesInput && { 422: UNREADABLE }), ...route.replies });
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    'x-access': access.access,
    ...(access.access === 'public' && { security: [] }),
    parameters: [...describeFields('path', params, components), ...describeFields('query', query, components)],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          body.contentTypes.map((type) => [type, { schema: toSchema(body.schema, 'input', components) }]),
        ),
      },
    }),
    responses: Object.fromEntries(replies.map(([status, reply]) => [status, describeReply(reply, components)])),
  };
}

function bodyOf({ body, streamedBody, isForm }: Route): Route['streamedBody'] {
  const contentTypes = [isForm === true ? FORM_TYPE : 'application/json'];
  return body === undefined ? streamedBody : { contentTypes, schema: body };
}

function describeReply({ description, contentType, schema }: ReplyDeclaration, components: OpenApiObject) {
  const types = typeof contentType === 'string' ? [contentType] : contentType;
  const content = types.map((type) => {
    const isDescribed = schema !== undefined && type === 'application/json';
    return [type, isDescribed ? { schema: toSchema(schema, 'output', components) } : {}] as const;
  });
  return { description, content: Object.fromEntries<OpenApiObject>(content) };
}

function describeFields(place: 'path' | 'query', fields: z.ZodObject | undefined, components: OpenApiObject) {
  if (fields === undefined) return [];
  const { properties = {}, required = [] } = toSchema(fields, 'input', components) as {
    properties?: Record<string, OpenApiObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** The JSON schema, with what it names moved to the components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: OpenApiObject): OpenApiObject {
  const { $schema: _, ...inlined } = z.toJSONSchema(z.tuple([schema]), { io, override: dropSafeIntegerBounds });
  const { $defs = {}, prefixItems } = JSON.parse(
    JSON.stringify(inlined).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: OpenApiObject; prefixItems: [OpenApiObject] };
  Object.assign(components, $defs);
  return prefixItems[0];
}

/** Every integer has these bounds; saying so everywhere would only hide those that mean something. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
