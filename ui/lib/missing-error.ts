/** What was asked for is not there: another answer than that it could not be read. */

/** The server has nothing with the id that was asked for. */
export class MissingError extends Error {
  override readonly name = 'MissingError';
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
