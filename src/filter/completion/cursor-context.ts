/** Where in a filter the cursor is: what was written before it, and so what can stand there. */
import { DiagnosticList, type Range } from '../diagnostic.ts';
import { lex } from '../lex.ts';
import type { Token } from '../token.ts';

/** What can be written at the cursor. */
export type Expected =
  /** The beginning of a condition. */
  | 'operand'
  /** What compares the value before. */
  | 'operator'
  /** What the value before is compared with. */
  | 'value'
  /** A value in a list, or the list. */
  | 'list'
  /** `None`, behind `is`. */
  | 'constant'
  /** `and`, `or`. */
  | 'connective'
  /** A collection, behind `for x in`. */
  | 'collection'
  /** A name of the writer's own, behind `for`. */
  | 'variable'
  /** `in`, behind `not` or `for x`. */
  | 'in'
  /** What hangs on the path before a dot. */
  | 'member'
  /** A key in `path['`. */
  | 'key';

/** The syntax around the cursor. */
export interface CursorContext {
  readonly expected: Expected;
  /** What a suggestion replaces. */
  readonly range: Range;
  /** The part of it before the cursor, without quotation marks. */
  readonly prefix: string;
  /** Whether it is between quotation marks. */
  readonly isQuoted: boolean;
  /** Whether it is inside the brackets of a list of values. */
  readonly isInList: boolean;
  /** The value that is compared, or the path before a dot or a subscript; as it is written. */
  readonly left: string | null;
  /** Loops around, the innermost first, with their collections as they are written; empty where one is missing. */
  readonly loops: readonly ContextLoop[];
}

/** A loop, as far as it is written. */
export interface ContextLoop {
  readonly variable: string;
  readonly collection: string;
}

/** Finds the syntax around the cursor at `offset`. */
export function findCursorContext(text: string, offset: number): CursorContext {
  const tokens = lex(text, new DiagnosticList()).slice(0, -1);
  const at = tokens.findIndex(({ start, end }) => start < offset && offset <= end);
  const token = tokens[at];
  if (token?.kind === 'text' && (!token.isClosed || offset < token.end)) {
    const body = text.slice(token.start, offset).replace(/^[a-z]*['"“‘]{1,3}/i, '');
    return contextAt(text, tokens, at, { start: token.start, end: token.end }, body, true);
  }
  const isWord = token !== undefined && ['name', 'keyword'].includes(token.kind);
  const isDot = token?.kind === 'sign' && token.sign === '.' && offset === token.end;
  const isIndex = token?.kind === 'number' && isDotBefore(tokens, at);
  if (token === undefined || (!isWord && !isDot && !isIndex)) {
    const next = tokens.findIndex(({ start }) => start >= offset);
    return contextAt(text, tokens, next === -1 ? tokens.length : next, { start: offset, end: offset }, '', false);
  }
  const first = pathStart(tokens, isDot ? at + 1 : at);
  const start = Math.min(tokens[first]?.start ?? offset, offset);
  const end = isDot && tokens[at + 1]?.kind !== 'name' ? offset : Math.max(token.end, offset);
  return contextAt(text, tokens, first, { start, end }, text.slice(start, offset), false);
}

/** The token at which the dotted name begins that goes up to the token before `end` or is it. */
function pathStart(tokens: readonly Token[], end: number): number {
  let first = end;
  while (isDotBefore(tokens, first)) {
    const before = tokens[first - 2];
    if (before?.kind !== 'name' && before?.kind !== 'number') break;
    first -= 2;
  }
  return first;
}

function isDotBefore(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.kind === 'sign' && before.sign === '.';
}

/** Brackets around, and what was read in each. */
interface Frame {
  readonly kind: 'group' | 'call' | 'list' | 'subscript';
  expected: Expected;
  left: Range | null;
  /** The token behind the bracket. */
  readonly begin: number;
}

function contextAt(
  text: string,
  tokens: readonly Token[],
  count: number,
  range: Range,
  prefix: string,
  isQuoted: boolean,
): CursorContext {
  const frames: Frame[] = [{ kind: 'group', expected: 'operand', left: null, begin: 0 }];
  for (let at = 0; at < count; at++) advance(frames, tokens, at);
  const frame = frames.at(-1) ?? { kind: 'group', expected: 'operand', left: null, begin: 0 };
  const loops = frames
    .filter(({ kind }) => kind === 'call' || kind === 'list')
    .flatMap(({ begin }) => loopIn(text, tokens, begin))
    .toReversed();
  const left = frame.left === null ? null : text.slice(frame.left.start, frame.left.end);
  const isInList = frame.kind === 'list' && frame.expected === 'list';
  const context = { range, prefix, isQuoted, isInList, left, loops };
  if (frame.kind === 'subscript') return { ...context, expected: 'key' };
  // Behind a dot that hangs on a bracket, as `annotations['x'].`, only what follows the dot is replaced.
  const isMember = isDotBefore(tokens, count) && tokens[count - 1]?.end === range.start;
  return isMember ? { ...context, expected: 'member' } : { ...context, expected: frame.expected };
}

function advance(frames: Frame[], tokens: readonly Token[], at: number): void {
  const [frame, token] = [frames.at(-1), tokens[at]];
  if (frame === undefined || token === undefined) return;
  if (token.kind === 'keyword') readKeyword(frame, token.word);
  else if (token.kind === 'sign') readSign(frames, frame, tokens, at);
  else if (frame.expected === 'variable') frame.expected = 'in';
  else if (isDotBefore(tokens, at)) frame.left = frame.left && { start: frame.left.start, end: token.end };
  else readOperand(frame, token);
  const constant = token.kind === 'keyword' && ['None', 'True', 'False'].includes(token.word);
  if (constant) readOperand(frame, token);
}

function readOperand(frame: Frame, token: Range): void {
  if (frame.expected === 'operand') {
    frame.left = { start: token.start, end: token.end };
    frame.expected = 'operator';
  } else if (frame.expected === 'collection' || frame.expected === 'value' || frame.expected === 'constant') {
    frame.expected = 'connective';
  } else if (frame.expected === 'list' && frame.kind !== 'list') {
    frame.expected = 'connective';
  }
}

function readKeyword(frame: Frame, word: string): void {
  if (word === 'and' || word === 'or' || word === 'if') {
    frame.expected = 'operand';
    frame.left = null;
  } else if (word === 'not') {
    if (frame.expected === 'operator') frame.expected = 'in';
  } else if (word === 'in') {
    const isLoop = frame.expected === 'in' && frame.left === null;
    frame.expected = isLoop ? 'collection' : 'list';
  } else if (word === 'is') {
    frame.expected = 'constant';
  } else if (word === 'for') {
    frame.expected = 'variable';
    frame.left = null;
  }
}

function readSign(frames: Frame[], frame: Frame, tokens: readonly Token[], at: number): void {
  const token = tokens[at];
  if (token?.kind !== 'sign') return;
  const { sign } = token;
  if (['==', '!=', '<', '<=', '>', '>='].includes(sign)) {
    frame.expected = 'value';
  } else if (['+', '-', '*', '/', '%'].includes(sign)) {
    if (frame.expected === 'operator') frame.expected = 'operand';
    else if (frame.expected === 'connective') frame.expected = 'value';
  } else if (sign === '(' || sign === '[' || sign === '{') {
    open(frames, frame, tokens, at);
  } else if (sign === ')' || sign === ']' || sign === '}') {
    close(frames, token);
  }
}

function open(frames: Frame[], frame: Frame, tokens: readonly Token[], at: number): void {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token?.kind !== 'sign') return;
  const hangs =
    before?.end === token.start && (before.kind === 'name' || (before.kind === 'sign' && before.sign === ']'));
  const begin = at + 1;
  if (token.sign === '[' && hangs) frames.push({ kind: 'subscript', expected: 'key', left: frame.left, begin });
  else if (token.sign === '(' && hangs) frames.push({ kind: 'call', expected: 'operand', left: null, begin });
  else if (frame.expected === 'list') frames.push({ kind: 'list', expected: 'list', left: frame.left, begin });
  // A list that is walked through, as that of `len`.
  else if (token.sign === '[') frames.push({ kind: 'list', expected: 'operand', left: null, begin });
  else frames.push({ kind: 'group', expected: 'operand', left: null, begin });
}

function close(frames: Frame[], token: Range): void {
  if (frames.length === 1) return;
  const closed = frames.pop();
  const frame = frames.at(-1);
  if (frame === undefined || closed === undefined) return;
  const start = frame.left?.start ?? token.start;
  if (closed.kind === 'subscript' || closed.kind === 'call') {
    frame.left = frame.expected === 'operator' ? { start, end: token.end } : frame.left;
  } else if (closed.kind === 'group' && frame.expected === 'operand') {
    frame.left = null;
    frame.expected = 'connective';
  } else {
    readOperand(frame, token);
  }
}

/** The loop of a bracket, before or after the cursor. */
function loopIn(text: string, tokens: readonly Token[], begin: number): readonly ContextLoop[] {
  let depth = 0;
  for (let at = begin; at < tokens.length && depth >= 0; at++) {
    const token = tokens[at];
    if (token?.kind === 'sign' && ['(', '[', '{'].includes(token.sign)) depth++;
    else if (token?.kind === 'sign' && [')', ']', '}'].includes(token.sign)) depth--;
    else if (depth === 0 && token?.kind === 'keyword' && token.word === 'for') {
      const [variable, , first] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
      if (variable?.kind !== 'name') return [];
      if (first?.kind !== 'name') return [{ variable: variable.name, collection: '' }];
      const last = tokens[at + 4]?.kind === 'sign' && isDotBefore(tokens, at + 5) ? tokens[at + 5] : undefined;
      const { end } = last?.kind === 'name' ? last : first;
      return [{ variable: variable.name, collection: text.slice(first.start, end) }];
    }
  }
  return [];
}
