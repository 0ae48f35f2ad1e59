/** What is wrong with the text of a filter: where, why, and what to write instead. */
import { MAX_DIAGNOSTICS } from './limits.ts';

/** What kind of fault, for programs; people read the message. */
export type DiagnosticCode =
  | 'too_long'
  | 'too_many_terms'
  | 'too_deep'
  | 'too_many_annotations'
  | 'nul'
  | 'bad_character'
  | 'bad_text'
  | 'bad_number'
  | 'unexpected'
  | 'unfinished'
  | 'unsupported'
  | 'not_a_condition'
  | 'not_a_value'
  | 'unknown_name'
  | 'look_alike'
  | 'type_mismatch'
  | 'bad_date'
  | 'bad_list'
  | 'bad_is'
  | 'bad_comprehension'
  | 'doubtful_name'
  | 'doubtful_value';

/** A fault of a filter. A filter with a warning is applied, one with an error is not. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** UTF-16 offset of the first unit concerned. */
  readonly start: number;
  /** Offset after the last. Equal to `start` where something is missing. */
  readonly end: number;
  readonly code: DiagnosticCode;
  /** Names the fragment, and what to write instead. */
  readonly message: string;
  /** What would mend it: the text that belongs in place of [start, end). */
  readonly repair?: Repair;
}

/** A replacement of a stretch of the text. */
export interface Repair {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A stretch of the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Collects what is wrong, the first {@link MAX_DIAGNOSTICS}, in the order in which it is found. */
export class DiagnosticList {
  readonly #found: Diagnostic[] = [];
  #hasErrors = false;

  /** Whether anything makes the filter useless. */
  get hasErrors(): boolean {
    return this.#hasErrors;
  }

  /** Whether more are not told. */
  get isFull(): boolean {
    return this.#found.length === MAX_DIAGNOSTICS;
  }

  /** Whether a fault was found that begins there. */
  hasErrorAt(start: number): boolean {
    return this.#found.some((found) => found.severity === 'error' && found.start === start);
  }

  /** Whether anything was found of just that range. */
  hasAt({ start, end }: Range): boolean {
    return this.#found.some((found) => found.start === start && found.end === end);
  }

  error(code: DiagnosticCode, range: Range, message: string, repair?: string | Repair): void {
    this.#hasErrors = true;
    this.#add('error', code, range, message, repair);
  }

  warning(code: DiagnosticCode, range: Range, message: string, repair?: string | Repair): void {
    this.#add('warning', code, range, message, repair);
  }

  /** In the order of the text. */
  list(): readonly Diagnostic[] {
    return this.#found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }

  /** @param repair the text that belongs in place of the range, or of another one */
  #add(
    severity: Diagnostic['severity'],
    code: DiagnosticCode,
    { start, end }: Range,
    message: string,
    repair: string | Repair | undefined,
  ): void {
    if (this.isFull) return;
    const found = { severity, start, end, code, message };
    if (repair === undefined) this.#found.push(found);
    else this.#found.push({ ...found, repair: typeof repair === 'string' ? { start, end, text: repair } : repair });
  }
}

/** A fragment of a filter as messages quote it: in one line, and short. */
export function quote(fragment: string): string {
  const line = fragment.replaceAll(/\s+/g, ' ');
  const mark = line.includes('`') ? '"' : '`';
  return mark + (line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line) + mark;
}

const MAX_QUOTED = 60;
