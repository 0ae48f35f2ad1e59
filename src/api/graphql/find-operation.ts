import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import { AppError } from '#base/errors';

/**
 * The operation that a request means: the one of that name, or the only one where it gives none. An empty name, which
 * some clients send, is none.
 * @throws AppError `invalid_argument` that says which operations there are
 */
export function findOperation({ definitions }: DocumentNode, name: string | null): OperationDefinitionNode {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const isNamed = name !== null && name !== '';
  const [operation, another] = isNamed ? operations.filter((node) => node.name?.value === name) : operations;
  if (operation !== undefined && another === undefined) return operation;
  const names = operations.flatMap((node) => node.name?.value ?? []);
  if (!isNamed) {
    const advice = `choose one with operationName, ${formatNames(names, 'or')}.`;
    throw new AppError(
      'invalid_argument',
      operations.length > 1 ? `The document has several operations: ${advice}` : 'The document has no operation.',
    );
  }
  const what = `The document has no operation named ${shorten(name)}`;
  const instead =
    names.length > 0
      ? `: it has ${formatNames(names, 'and')}.`
      : '. Its only operation has no name, so leave operationName out.';
  throw new AppError('invalid_argument', `${what}${instead}`);
}

/** More help nobody to find the one that was meant. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 100;

function formatNames(names: readonly string[], conjunction: 'and' | 'or'): string {
  const shown = names.slice(0, MAX_NAMES).map(shorten);
  if (names.length > MAX_NAMES) shown.push(`${names.length - MAX_NAMES} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} ${conjunction} ${last}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
