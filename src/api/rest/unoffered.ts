import { AppError } from '#base/errors';

/**
 * Refuses parameters that this version does not offer. Other unknown ones are ignored; these narrow the answer, and
 * without them it would hold what the caller did not ask for. An empty value asks for nothing.
 * @throws AppError `unimplemented` naming the first one
 */
export function refuseUnoffered(query: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const asked = names.find((name) => query[name] !== undefined && query[name] !== '');
  if (asked !== undefined) throw new AppError('unimplemented', `This version does not offer the parameter ${asked}.`);
}
