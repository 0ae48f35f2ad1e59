/** Several words without quotes: a text that was meant to be looked for, or a comparison that lacks its operator. */
import { quote } from '../diagnostic.ts';
import { quoteText } from '../lex-text.ts';
import type { LiteralSyntax, Syntax } from '../syntax.ts';
import { TEXT_EXAMPLE } from './examples.ts';
import { namedBy } from './report-name.ts';
import type { Scope } from './scope.ts';

/** Whether the condition is such words, which is reported. */
export function reportProse(scope: Scope, syntax: Syntax): boolean {
  if (syntax.kind !== 'literal' || syntax.isProse !== true) return false;
  const written = String(syntax.literal.value);
  if (scope.loop !== null) reportQuoteless(scope, syntax);
  else if (!reportNoOperator(scope, syntax, written)) {
    const repair = `${quoteText(written)} in ${TEXT_EXAMPLE[scope.catalogue.grain]}`;
    const message = `a text needs quotes, and where to look for it: write ${quote(repair)}`;
    scope.diagnostics.error('bad_text', syntax, message, repair);
  }
  return true;
}

/** Says of words that are compared, or looked for in something, that they need quotes. */
export function reportQuoteless({ diagnostics }: Scope, syntax: LiteralSyntax): void {
  const quoted = quoteText(String(syntax.literal.value));
  diagnostics.error('bad_text', syntax, `a text needs quotes: write ${quote(quoted)}`, quoted);
}

/** `status_code error`, `latency over 5`. */
function reportNoOperator({ catalogue, diagnostics }: Scope, syntax: LiteralSyntax, written: string): boolean {
  const [first = '', ...others] = written.split(/[\s:]+/);
  const last = others.at(-1) ?? '';
  const name = namedBy(catalogue, first);
  const isNumber = /^\d/.test(last);
  if (name === undefined || !(isNumber || others.length === 1)) return false;
  const example = `${name} ${isNumber ? '>' : '=='} ${isNumber ? last : quoteText(last)}`;
  const repair = others.length === 1 ? example : undefined;
  const message = `an operator is missing after ${quote(first)}: write one, as in ${quote(example)}`;
  diagnostics.error('unexpected', syntax, message, repair);
  return true;
}
