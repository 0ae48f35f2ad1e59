/** Numbers of the filter language. */
import { type DiagnosticList, quote } from './diagnostic.ts';
import { readAmount } from './lex-amount.ts';
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** The number that begins at the place. One that is none is reported, and stands for 0. */
export function readNumber(text: string, start: number, diagnostics: DiagnosticList): Token | undefined {
  const amount = readAmount(text, start, diagnostics);
  if (amount !== undefined) return amount;
  const written = matchAt(NUMBER_LIKE, text, start);
  if (written === undefined) return undefined;
  const range = { start, end: start + written.length };
  const digits = digitsOf(written);
  const value = Number(digits);
  if (digits === undefined) {
    const repair = numberOf(written);
    const advice = repair === undefined ? '' : `: write ${repair}`;
    diagnostics.error('bad_number', range, `${quote(written)} is not a number${advice}`, repair);
  } else if (Number.isFinite(value)) {
    return { kind: 'number', value, text: digits, ...range };
  } else {
    diagnostics.error('bad_number', range, `${quote(written)} is too large: the largest number is 1.7e308`);
  }
  return { kind: 'number', value: 0, text: '0', ...range };
}

/** The number that a piece says, or that was meant where only zeros or `_` are misplaced; `undefined` where it is none. */
export function numberOf(written: string): string | undefined {
  return digitsOf(written) ?? digitsOf(written.replaceAll('_', '').replace(/^0+(?=\d)/, ''));
}

/** A number in decimal digits, as JSON has it; `undefined` where it is none. */
function digitsOf(written: string): string | undefined {
  const plain = written.replaceAll('_', '');
  if (WHOLE.test(written)) return Number.isFinite(Number(plain)) ? BigInt(plain).toString() : plain;
  if (!DECIMAL.test(written)) return undefined;
  return plain
    .replace(/^\./, '0.')
    .replace(/\.(?=$|[eE])/, '.0')
    .replace(/^0+(?=\d)/, '');
}

/** All that hangs together after a digit. */
export const NUMBER_LIKE = /\.?\d(?:[eE][+-]?(?=\d)|[\p{ID_Continue}]|\.(?=\d|[eE][+-]?\d|(?![\p{ID_Start}_.])))*/uy;

const WHOLE = /^(?:0(?:_?0)*|[1-9](?:_?\d)*|0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)$/;
const DECIMAL = /^(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?|(?=[eE]))|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/;
