/** What the page reads of the server's OpenAPI document. */

/** A schema, as far as this server's document uses them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** By content type; without a schema where the content is described in words alone. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** What an operation answers with a status. */
export interface ApiResponse {
  readonly description: string;
  readonly content?: Content;
}

/** An operation as the document has it. */
export interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-access'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  /** By status; those that many operations share, by reference. */
  readonly responses: Readonly<Record<string, ApiResponse | { readonly $ref: string }>>;
}

/** An OpenAPI document. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, ApiResponse>>;
  };
}

/** An operation with its address. */
export interface Operation extends Omit<DocumentOperation, 'responses'> {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  /** Responses of its own, by status. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
  /** Responses that many operations share, by status. */
  readonly sharedResponses: Readonly<Record<string, ApiResponse>>;
}

/** Operations that are about the same. */
export interface OperationGroup {
  readonly tag: string;
  /** `Api keys`. */
  readonly title: string;
  readonly operations: readonly Operation[];
}

/** The operations by their first tag, in the document's order. */
export function groupOperations({ paths, components }: ApiDocument): readonly OperationGroup[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Operation => ({
        ...operation,
        ...splitResponses(operation.responses, components?.responses ?? {}),
        method: method.toUpperCase(),
        path,
      }),
    ),
  );
  return [...Map.groupBy(all, ({ tags }) => tags[0] ?? 'other')].map(([tag, operations]) => ({
    tag,
    title: titleOf(tag),
    operations,
  }));
}

function splitResponses(
  all: DocumentOperation['responses'],
  shared: Readonly<Record<string, ApiResponse>>,
): Pick<Operation, 'responses' | 'sharedResponses'> {
  const responses: Record<string, ApiResponse> = {};
  const sharedResponses: Record<string, ApiResponse> = {};
  for (const [status, response] of Object.entries(all)) {
    if (!('$ref' in response)) {
      responses[status] = response;
      continue;
    }
    const named = shared[nameOf(response.$ref)];
    if (named !== undefined) sharedResponses[status] = named;
  }
  return { responses, sharedResponses };
}

/** The last part of a reference: the name that it has among its kind. */
export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** The groups with the operations whose method, path, id or summary has every word of the text; groups without one are left out. */
export function findOperations(groups: readonly OperationGroup[], text: string): readonly OperationGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, operationId, summary }) => {
        const searched = `${method} ${path} ${operationId} ${summary} ${group.title}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

/** What a caller must be allowed, in words; undefined where there is nothing to say. */
export function describeAccess(access: string | undefined): string | undefined {
  return access === undefined ? undefined : ACCESS[access];
}

/** By what an operation demands of its caller, see `src/domain/access.ts`. */
const ACCESS: Readonly<Record<string, string>> = {
  public: 'Everybody, without a key',
  identify: 'Everybody who has signed in',
  profile: 'Everybody who has signed in',
  read: 'Every role',
  ingest: 'Members, administrators, and keys that only send',
  write: 'Members and administrators',
  own: 'Every role, for what is their own',
  admin: 'Administrators',
  accounts: 'Administrators',
};

function titleOf(tag: string): string {
  const words = tag.replaceAll(/[_-]/g, ' ');
  return words === 'api keys' ? 'API keys' : words.charAt(0).toUpperCase() + words.slice(1);
}
