/**
 * One typed entry per REST route: what it takes, what it answers, who may call it. The table is what the server
 * registers and what the OpenAPI document is made of, so neither can say something else.
 */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Permission } from '#domain/access';
import type { Caller } from '#domain/caller';

/** The content type of forms. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What a handler is given: everything validated, nothing of the HTTP library. */
export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** What the body of a {@link Route.streamedBody} is read from; of any other it is read already. */
  readonly stream: IncomingMessage;
  readonly caller: Caller;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** An answer: 200 unless it says otherwise. A `string`, bytes or a stream goes out as it is; anything else as JSON. */
export interface RouteReply {
  readonly status?: number;
  readonly contentType?: string;
  /** A list for a header that stands there several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

/** What a route may answer with, for the document and for tests that hold replies to it. */
export interface ReplyDeclaration {
  readonly description: string;
  /** Several where the client chooses; none for an answer without a body. */
  readonly contentType?: string | readonly string[];
  /** What headers mean, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent for bodies that are not JSON. */
  readonly schema?: z.ZodType;
}

/** A route as it is declared. Path parameters are written `{name}`; each is a field of `params`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Permission;
  /** Refuses callers for more than their role, before anything of the body is read, by throwing. */
  readonly admit?: (caller: Caller) => void;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Fields of the body within which numbers keep all digits, as `JsonNumber` where JavaScript's cannot. */
  readonly exactFields?: readonly string[];
  /** Whether the body is a form rather than JSON: a field that stands there twice is a list. */
  readonly isForm?: boolean;
  /** Whether a refusal must not tell again what the body holds. */
  readonly hasSecretBody?: boolean;
  /**
   * In place of `body`: one that is too large to be read and checked on the main thread, so that the handler has it read,
   * all of it or none. The schema is for the document. Other content types are answered with 415.
   */
  readonly streamedBody?: { readonly contentTypes: readonly string[]; readonly schema: z.ZodType };
  /** Whether it changes nothing although it is no GET, so that it ends when its client leaves. */
  readonly isQuery?: boolean;
  /**
   * Counts a request of the address, and refuses too many, before anything of a body is read.
   * @throws AppError `resource_exhausted`
   */
  readonly limit?: (address: string | undefined) => void;
  /** What it answers beyond the errors that every route can have. */
  readonly replies: Readonly<Record<number, ReplyDeclaration>>;
  readonly handler: (request: RouteRequest<never, never, never>) => Promise<RouteReply>;
}

/** Declares a route, with the handler's types taken from its schemas. */
export function defineRoute<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  route: Omit<Route, 'params' | 'query' | 'body' | 'handler'> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly handler: (request: RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<RouteReply>;
  },
): Route {
  return route;
}
