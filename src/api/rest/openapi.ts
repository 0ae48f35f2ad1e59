/** The OpenAPI document of a table of routes. Schemas with an `id` become components. */
import { z } from 'zod';
import { COMMON_REPLIES, commonReplies } from './common-replies.ts';
import { FORM_TYPE, type ReplyDeclaration, type Route } from './route.ts';

/** A JSON object of the document. */
export interface OpenApiObject {
  [key: string]: unknown;
}

/** An OpenAPI 3.1 document. Each operation says in `x-access` who may call it. */
export interface OpenApiDocument extends OpenApiObject {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiObject>>>>;
  readonly components: OpenApiObject & { readonly schemas: OpenApiObject };
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
      responses: Object.fromEntries(
        Object.entries(COMMON_REPLIES).map(([name, reply]) => [name, describeReply(reply, components)]),
      ),
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
    },
  };
}

function describe(route: Route, components: OpenApiObject): OpenApiObject {
  const { operationId, summary, description, tag, access, params, query } = route;
  const body = bodyOf(route);
  const responses = {
    ...Object.fromEntries(
      Object.entries(commonReplies(route)).map(([status, name]) => [
        status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(route.replies).map(([status, reply]) => [status, describeReply(reply, components)]),
    ),
  };
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
    responses,
  };
}

function bodyOf({ body, streamedBody, isForm }: Route): Route['streamedBody'] {
  const contentTypes = [isForm === true ? FORM_TYPE : 'application/json'];
  return body === undefined ? streamedBody : { contentTypes, schema: body };
}

function describeReply(
  { description, contentType = [], schema, headers }: ReplyDeclaration,
  components: OpenApiObject,
): OpenApiObject {
  const content = [contentType].flat().map((type) => {
    if (type === 'application/json' && schema !== undefined) {
      return [type, { schema: toSchema(schema, 'output', components) }] as const;
    }
    return [type, type.startsWith('text/') ? { schema: { type: 'string' } } : {}] as const;
  });
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, meaning]) => [name, { description: meaning, schema: { type: 'string' } }]),
      ),
    }),
    ...(content.length > 0 && { content: Object.fromEntries<OpenApiObject>(content) }),
  };
}

function describeFields(place: 'path' | 'query', fields: z.ZodObject | undefined, components: OpenApiObject) {
  if (fields === undefined) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = fields.shape;
  const { properties = {}, required = [] } = toSchema(fields, 'input', components) as {
    properties?: Record<string, OpenApiObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    schema: { ...schema, ...findDefault(shape[name]) },
  }));
}

/** Of a field that is read by a transform, whose default Zod leaves out of what is sent: these are numbers and switches, sent as they are read. */
function findDefault(field: z.core.$ZodType | undefined): { readonly default?: unknown } {
  if (!(field instanceof z.ZodDefault)) return {};
  return { default: field.def.defaultValue };
}

/** The JSON schema, with what it names moved to the components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: OpenApiObject): OpenApiObject {
  const { $schema: _, ...inlined } = z.toJSONSchema(z.tuple([schema]), {
    io,
    // Every integer of an answer has these bounds; saying so everywhere would only hide those that mean something.
    ...(io === 'output' && { override: dropSafeIntegerBounds }),
  });
  const { $defs = {}, prefixItems } = JSON.parse(
    JSON.stringify(inlined).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: OpenApiObject; prefixItems: [OpenApiObject] };
  Object.assign(components, $defs);
  return prefixItems[0];
}

function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
