/** Why the server did not answer what it was asked, in its own words. */

/** See the file. */
export class ServerError extends Error {
  override readonly name: string = 'ServerError';

  /** As docs/errors.md lists them; null where the server gave none. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** What was asked for is not there: another answer than that it could not be read. */
export class MissingError extends ServerError {
  override readonly name = 'MissingError';

  constructor(message: string) {
    super(message, 'not_found');
  }
}

/** What is read, or something else where it is not there. @throws whatever else keeps it from being read */
export async function unlessMissing<Value, Other>(reading: Promise<Value>, other: Other): Promise<Value | Other> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof MissingError) return other;
    throw error;
  }
}

/** What is wrong with what was asked: refused as it is, or too much to be answered in time. Null: nothing, as far as is known. */
export type Objection = 'refused' | 'too much' | null;

const OBJECTIONS: Readonly<Record<string, Objection>> = {
  invalid_argument: 'refused',
  too_large: 'refused',
  unimplemented: 'refused',
  deadline_exceeded: 'too much',
};

/** See {@link Objection}. What is refused will be refused again. */
export function objectionOf(error: unknown): Objection {
  return error instanceof ServerError ? (OBJECTIONS[error.code ?? ''] ?? null) : null;
}
