/** The terms that are joined by `and` in a filter's text: finds, adds and removes one, and leaves all else as it was written. */
import { DiagnosticList, type Range } from './diagnostic.ts';
import { checkSyntax, readSyntax } from './parse-filter.ts';
import type { LogicalSyntax, Syntax } from './syntax.ts';
import type { Condition, FilterGrain, Value } from './tree.ts';

/** A term, and what was found in it. */
export interface Term<Found> {
  readonly syntax: Syntax;
  /** What joins it with others; `null` where it is the whole filter. */
  readonly joined: LogicalSyntax | null;
  readonly found: Found;
}

/** The syntax of a filter, `null` where it is empty; `undefined` where the text has errors. */
export function readTerms(grain: FilterGrain, text: string): Syntax | null | undefined {
  const diagnostics = new DiagnosticList();
  const syntax = readSyntax(text, diagnostics);
  if (syntax !== null) checkSyntax(grain, text, syntax, diagnostics);
  return diagnostics.hasErrors ? undefined : syntax;
}

/** What a name stands for: a field, or an attribute as it is written in filters. */
export function valueOfName(grain: FilterGrain, name: string): Value | undefined {
  const diagnostics = new DiagnosticList();
  const text = `${name} is None`;
  const syntax = readSyntax(text, diagnostics);
  const condition = syntax === null ? undefined : checkSyntax(grain, text, syntax, diagnostics);
  return condition?.kind === 'absent' ? condition.value : undefined;
}

/** The first term of which `find` finds something. */
export function findTerm<Found>(
  grain: FilterGrain,
  text: string,
  syntax: Syntax | null,
  find: (condition: Condition) => Found | undefined,
  joined: LogicalSyntax | null = null,
): Term<Found> | undefined {
  if (syntax === null) return undefined;
  if (syntax.kind === 'and') {
    for (const operand of syntax.operands) {
      const term = findTerm(grain, text, operand, find, syntax);
      if (term !== undefined) return term;
    }
    return undefined;
  }
  const condition = checkSyntax(grain, text, syntax, new DiagnosticList());
  const found = condition === undefined ? undefined : find(condition);
  return found === undefined ? undefined : { syntax, joined, found };
}

/** The text with one more term. */
export function appendTerm(text: string, syntax: Syntax | null, added: string): string {
  if (syntax === null) return added;
  const isOpenOr = syntax.kind === 'or' && syntax.operands[0]?.start === syntax.start;
  return `${isOpenOr ? `(${text.trim()})` : text.trim()} and ${added}`;
}

/** The text with another term in place of this one. */
export function replaceTerm(text: string, { syntax }: Term<unknown>, replacement: string): string {
  return splice(text, syntax, replacement);
}

/** The text without the term. */
export function removeTerm(text: string, { syntax, joined }: Term<unknown>): string {
  const operands = joined?.operands ?? [];
  const at = operands.indexOf(syntax);
  const [before, after] = [operands[at - 1], operands[at + 1]];
  if (before !== undefined) return splice(text, { start: before.end, end: syntax.end }, '');
  return after === undefined ? '' : splice(text, { start: syntax.start, end: after.start }, '');
}

function splice(text: string, { start, end }: Range, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
