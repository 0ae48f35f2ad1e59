/** Reads what binds closest: constants, names with what hangs on them, calls, lists, and what is in parentheses. */
import type { Range } from './diagnostic.ts';
import { reportMethod } from './parse-foreign.ts';
import type { CallSyntax, InvalidSyntax, PathStep, Syntax } from './syntax.ts';
import type { Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** How to read what lies inside brackets. */
export interface InnerParsers {
  parseExpression(words: TokenStream): Syntax;
  parseSum(words: TokenStream): Syntax;
}

/** One operand. Where there is none that is said, and nothing is taken. */
export function parseOperand(words: TokenStream, inner: InnerParsers): Syntax {
  const token = words.peek();
  const { start, end } = token;
  switch (token.kind) {
    case 'number': {
      words.take();
      return {
        kind: 'literal',
        literal: { kind: 'literal', type: 'number', value: token.value, text: token.text },
        start,
        end,
      };
    }
    case 'text':
      words.take();
      return {
        kind: 'literal',
        literal: { kind: 'literal', type: 'text', value: token.value },
        ...(token.isProse === true && { isProse: true }),
        start,
        end,
      };
    case 'name':
      return parseName(words, inner, token.name);
    case 'sign':
      if (words.isSign('(')) return words.nested(() => parseParenthesised(words, inner));
      if (words.isSign('[')) return words.nested(() => parseList(words, inner, ']'));
      if (words.isSign('{')) return words.nested(() => parseList(words, inner, '}'));
      return missing(words);
    case 'keyword':
      if (token.word === 'None') return { kind: 'none', ...rangeOf(words.take()) };
      if (token.word !== 'True' && token.word !== 'False') return missing(words);
      words.take();
      return {
        kind: 'literal',
        literal: { kind: 'literal', type: 'boolean', value: token.word === 'True' },
        start,
        end,
      };
    case 'end':
      return missing(words);
  }
}

function missing(words: TokenStream): InvalidSyntax {
  const token = words.peek();
  const before = words.quoteLast();
  if (token.kind === 'end') {
    const message = before === undefined ? 'a condition is missing' : `something is missing after ${before}`;
    words.fault({ start: words.lastEnd, end: words.lastEnd }, 'unfinished', message);
  } else {
    const where = before === undefined ? 'at the start' : `after ${before}`;
    const advice = words.isKeyword('not') ? 'write it before the whole comparison' : 'a value is missing before it';
    words.fault(token, 'unexpected', `${words.quoteNext()} cannot be used ${where}: ${advice}`);
  }
  return { kind: 'invalid', start: token.start, end: token.start };
}

function parseName(words: TokenStream, inner: InnerParsers, name: string): Syntax {
  const nameRange = rangeOf(words.take());
  if (words.isSign('(')) return words.nested(() => parseCall(words, inner, name, nameRange));
  const steps: PathStep[] = [];
  for (;;) {
    const step = words.isSign('[') ? words.nested(() => parseSubscript(words, inner)) : parseMember(words);
    if (step === undefined) break;
    if (step.kind === 'invalid') return step;
    steps.push(step);
  }
  const end = steps.at(-1)?.end ?? nameRange.end;
  const path = { kind: 'path', name, nameRange, steps, start: nameRange.start, end } as const;
  if (!words.isSign('('))
    return words.grow(
      path,
      steps.flatMap((step) => (step.kind === 'subscript' ? [step.key] : [])),
    );
  const call = words.nested(() => parseCall(words, inner, name, nameRange));
  reportMethod(words, path, call.kind === 'call' ? call.args : [], words.lastEnd);
  return { kind: 'invalid', start: nameRange.start, end: words.lastEnd };
}

function parseMember(words: TokenStream): PathStep | InvalidSyntax | undefined {
  const dot = words.takeSign('.');
  if (dot === undefined) return undefined;
  const token = words.peek();
  const range = { start: dot.start, end: token.end };
  if (token.kind === 'name' || token.kind === 'keyword') {
    words.take();
    return { kind: 'member', name: token.kind === 'name' ? token.name : token.word, ...range };
  }
  if (token.kind === 'number' && /^\d+$/.test(token.text)) {
    words.take();
    return { kind: 'place', place: token.text, ...range };
  }
  words.fault(dot, 'unfinished', `a name is missing after ${words.quoteLast() ?? '`.`'}`);
  return { kind: 'invalid', start: dot.start, end: dot.end };
}

function parseSubscript(words: TokenStream, inner: InnerParsers): PathStep {
  const opening = words.take();
  const key = inner.parseExpression(words);
  const end = words.close(']', opening);
  return { kind: 'subscript', key, start: opening.start, end };
}

function parseCall(
  words: TokenStream,
  inner: InnerParsers,
  name: string,
  nameRange: Range,
): CallSyntax | InvalidSyntax {
  const opening = words.take();
  const args: Syntax[] = [];
  while (!words.isSign(')') && words.peek().kind !== 'end') {
    const argument = inner.parseExpression(words);
    args.push(words.isKeyword('for') ? parseComprehension(words, inner, argument, false) : argument);
    if (words.takeSign(',') === undefined) break;
  }
  const end = words.close(')', opening);
  return words.grow({ kind: 'call', name, nameRange, args, start: nameRange.start, end }, args);
}

/** A value in parentheses, or a tuple. */
function parseParenthesised(words: TokenStream, inner: InnerParsers): Syntax {
  const opening = words.take();
  if (words.isSign(')')) return { kind: 'list', items: [], start: opening.start, end: words.take().end };
  const first = inner.parseExpression(words);
  if (words.isKeyword('for')) {
    const comprehension = parseComprehension(words, inner, first, false);
    return words.grow({ ...comprehension, start: opening.start, end: words.close(')', opening) }, [comprehension]);
  }
  const items = parseItems(words, inner, first, ')');
  const end = words.close(')', opening);
  if (items === undefined) return words.grow({ ...first, start: opening.start, end }, [first]);
  return words.grow({ kind: 'list', items, start: opening.start, end }, items);
}

function parseList(words: TokenStream, inner: InnerParsers, closing: ']' | '}'): Syntax {
  const opening = words.take();
  if (words.isSign(closing)) return { kind: 'list', items: [], start: opening.start, end: words.take().end };
  const first = inner.parseExpression(words);
  if (words.isKeyword('for')) {
    const comprehension = parseComprehension(words, inner, first, true);
    return words.grow({ ...comprehension, start: opening.start, end: words.close(closing, opening) }, [comprehension]);
  }
  const items = parseItems(words, inner, first, closing) ?? [first];
  return words.grow({ kind: 'list', items, start: opening.start, end: words.close(closing, opening) }, items);
}

/** The items of a list from the first on; `undefined` where no comma follows that. */
function parseItems(
  words: TokenStream,
  inner: InnerParsers,
  first: Syntax,
  closing: ')' | ']' | '}',
): readonly Syntax[] | undefined {
  if (!words.isSign(',')) return undefined;
  const items = [first];
  while (words.takeSign(',') !== undefined && !words.isSign(closing)) items.push(inner.parseSum(words));
  return items;
}

function parseComprehension(words: TokenStream, inner: InnerParsers, element: Syntax, isList: boolean): Syntax {
  words.takeKeyword('for');
  const token = words.peek();
  if (token.kind !== 'name') {
    words.fault(token, 'bad_comprehension', `a name for the elements is missing after \`for\`: write \`for x in …\``);
    return words.skip();
  }
  words.take();
  if (words.takeKeyword('in') === undefined) {
    words.fault(words.peek(), 'bad_comprehension', `\`in\` and a collection are missing after \`for ${token.name}\``);
    return words.skip();
  }
  const iterable = inner.parseSum(words);
  const where: Syntax[] = [];
  while (words.takeKeyword('if') !== undefined) where.push(inner.parseExpression(words));
  if (words.isKeyword('for')) {
    const message = 'a nested loop needs a function of its own: `any(any(… for y in x.…) for x in …)`';
    words.fault(words.peek(), 'unsupported', message);
    words.take();
    words.skip();
  }
  const range = { start: element.start, end: words.lastEnd };
  return words.grow({ kind: 'comprehension', isList, element, variable: token.name, iterable, where, ...range }, [
    element,
    iterable,
    ...where,
  ]);
}

function rangeOf({ start, end }: Token): Range {
  return { start, end };
}
