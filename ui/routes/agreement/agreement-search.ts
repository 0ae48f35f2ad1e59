/** What the address of the agreement page says: what is judged, and by which two judges. */
import type { JudgedKind } from './model/judge.ts';

/** See the file. */
export interface AgreementSearch {
  readonly judged?: JudgedKind | undefined;
  /** Names of annotations. */
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** Keys of annotators; absent: everybody. */
  readonly firstBy?: string | undefined;
  readonly secondBy?: string | undefined;
}

/** Reads {@link AgreementSearch}; what makes no sense is left out. */
export function readAgreementSearch(search: Readonly<Record<string, unknown>>): AgreementSearch {
  const judged = search['judged'];
  return {
    judged: judged === 'span' || judged === 'trace' || judged === 'session' ? judged : undefined,
    first: textOf(search['first']),
    second: textOf(search['second']),
    firstBy: textOf(search['firstBy']),
    secondBy: textOf(search['secondBy']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 1000 ? value : undefined;
}
