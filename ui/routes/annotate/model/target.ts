/** What is judged, as addresses name it. */

/** A span, trace or session, or one of the documents that a span retrieved. */
export type Target =
  | { readonly kind: 'span' | 'trace' | 'session'; readonly id: string }
  /** `id` is that of the span; the position is zero-based. */
  | { readonly kind: 'document'; readonly id: string; readonly position: number };

/** What the panel is open for; which span, trace or session that is, the page knows. */
export type TargetChoice = 'span' | 'trace' | 'session' | `document:${number}`;

const CHOICE = /^(?:span|trace|session|document:(?:0|[1-9]\d{0,5}))$/;

/** The choice that an address names. */
export function readTargetChoice(value: unknown): TargetChoice | undefined {
  return typeof value === 'string' && CHOICE.test(value) ? (value as TargetChoice) : undefined;
}

/** Zero-based; undefined unless a document is chosen. */
export function documentPositionOf(choice: TargetChoice): number | undefined {
  return choice.startsWith('document:') ? Number(choice.slice('document:'.length)) : undefined;
}

/** The same for the same target. */
export function targetKey(target: Target): string {
  return target.kind === 'document' ? `${target.id}:${target.position}` : target.id;
}
