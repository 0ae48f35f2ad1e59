/** Documents, read and checked against the schema. */
import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';

/** Bounds on a text; the largest that the web UI and GraphiQL send have a third of the tokens. */
const PARSE_BOUNDS = { maxSourceLength: 200_000, maxLexicalTokens: 5000, maxComments: 1000 };

/** More say the same again. */
const MAX_ERRORS = 20;

/** Programs send the same few texts with other variables. A document takes some 200 bytes for each character of its text. */
const MAX_REMEMBERED = 200;
const MAX_REMEMBERED_LENGTH = 200_000;
const MAX_REMEMBERED_TEXT_LENGTH = 20_000;

/** A document, or why the text is none; never both. */
export type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Reads documents of one schema. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #remembered = new Map<string, CheckedDocument>();
  #rememberedLength = 0;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** @throws GraphQLError where the text has no syntax of a document */
  read(text: string): CheckedDocument {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const document = parse(text, PARSE_BOUNDS);
    const errors = validate(this.#schema, document, undefined, { maxErrors: MAX_ERRORS });
    const checked = errors.length === 0 ? { document } : { errors };
    if (text.length <= MAX_REMEMBERED_TEXT_LENGTH) this.#remember(text, checked);
    return checked;
  }

  #remember(text: string, checked: CheckedDocument): void {
    this.#remembered.set(text, checked);
    this.#rememberedLength += text.length;
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= MAX_REMEMBERED && this.#rememberedLength <= MAX_REMEMBERED_LENGTH) break;
      this.#remembered.delete(oldest);
      this.#rememberedLength -= oldest.length;
    }
  }
}
