/** What can be compared, of all that can be named. */
import { ANNOTATION_FIELDS } from '../catalogue/annotation.ts';
import { own } from '../own.ts';
import type { Operand, PlacedValue, Scope } from './scope.ts';

/** The operand, if it is a value; otherwise it is said what to write. */
export function requireValue(scope: Scope, operand: Operand): PlacedValue | undefined {
  if (operand.kind === 'value') return operand;
  scope.diagnostics.error('not_a_value', operand, `${scope.quote(operand)} ${explain(scope, operand)}`);
  return undefined;
}

function explain(scope: Scope, operand: Exclude<Operand, { kind: 'value' }>): string {
  const source = scope.source(operand);
  switch (operand.kind) {
    case 'none':
      return 'can only be tested: write `is None` or `is not None`';
    case 'parent':
      return operand.of === null
        ? `can only be tested: write \`${source} is None\` or \`${source} is not None\``
        : `is a span: compare one of its fields, as \`${source}.name\`, or write \`${source} is None\``;
    case 'annotation':
      return `is a test by itself: write it alone, or compare its ${ANY_MEMBER}`;
    case 'anyText':
      return `stands for many texts: write \`'text' in ${source}\` or \`'text' not in ${source}\``;
    case 'collection':
      if (operand.of === null && own(scope.catalogue.annotations, source) !== undefined)
        return `is a collection: write \`${source}['name']\` for those of one name, or \`any(x.… for x in ${source})\``;
      return `is a collection: write \`any(x.… for x in ${source})\`, or \`len([x for x in ${source}])\` for the number`;
    case 'condition':
      return 'is already true or false: write it alone, or after `not`';
  }
}

const MEMBERS = ANNOTATION_FIELDS.map(({ name }) => `\`.${name}\``);
const ANY_MEMBER = `${MEMBERS.slice(0, -1).join(', ')} or ${MEMBERS.at(-1) ?? ''}`;
