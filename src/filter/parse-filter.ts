/** From the text of a filter to what it means. */
import { CATALOGUES } from './catalogue/all.ts';
import { CHECK_FUNCTIONS } from './check/condition.ts';
import { Scope } from './check/scope.ts';
import { type Diagnostic, DiagnosticList } from './diagnostic.ts';
import { NUL_MESSAGE } from './lex-text.ts';
import { MAX_FILTER_LENGTH } from './limits.ts';
import { parseSyntax } from './parse-syntax.ts';
import type { Syntax } from './syntax.ts';
import type { Condition, FilterGrain } from './tree.ts';

/** A filter that was read. */
export interface ParsedFilter {
  /** `null` where the text is empty, and where it has errors. */
  readonly condition: Condition | null;
  /** All that is wrong with the text, in its order; with an error among them the filter cannot be applied. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a filter. Takes time in proportion to the text, whatever is in it. */
export function parseFilter(grain: FilterGrain, text: string): ParsedFilter {
  const diagnostics = new DiagnosticList();
  const syntax = readSyntax(text, diagnostics);
  const checked = syntax === null ? undefined : checkSyntax(grain, text, syntax, diagnostics);
  return { condition: diagnostics.hasErrors ? null : (checked ?? null), diagnostics: diagnostics.list() };
}

/** What the text looks like, within bounds; `null` where it is empty or not read at all. */
export function readSyntax(text: string, diagnostics: DiagnosticList): Syntax | null {
  if (text.length > MAX_FILTER_LENGTH) {
    const message = `the filter is too long: it has ${text.length} characters, and the limit is ${MAX_FILTER_LENGTH}`;
    diagnostics.error('too_long', { start: MAX_FILTER_LENGTH, end: text.length }, message);
    return null;
  }
  const nul = text.indexOf('\0');
  if (nul === -1) return parseSyntax(text, diagnostics);
  diagnostics.error('nul', { start: nul, end: nul + 1 }, NUL_MESSAGE, '');
  return null;
}

/** The condition that a piece of the text is; `undefined` where it has errors, which are reported. */
export function checkSyntax(
  grain: FilterGrain,
  text: string,
  syntax: Syntax,
  diagnostics: DiagnosticList,
): Condition | undefined {
  const scope = new Scope({ text, catalogue: CATALOGUES[grain], diagnostics, check: CHECK_FUNCTIONS });
  return CHECK_FUNCTIONS.condition(scope, syntax, false);
}
