/** What only the originals of spans tell: asked for while a filter is evaluated, read afterwards, and asked for again. */
import type { JsonValue } from '#base/json';
import { attributeAtPath } from '#filter/attribute-path';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../../spans/rows/span-query.ts';
import { readStoredSpans } from '../../spans/rows/stored-spans.ts';

/** What a filter asked of a span: its name, or an attribute by its path. */
type Question = { readonly kind: 'name' } | { readonly kind: 'attribute'; readonly path: string };

/** The answers that one row of the list needs. An answer that is not there yet makes the evaluation void. */
export class OriginalValues {
  readonly #asked = new Map<number, Map<string, Question>>();
  readonly #answers = new Map<string, JsonValue | undefined>();

  /** Row ids of the spans whose originals are asked for. */
  get asked(): readonly number[] {
    return [...this.#asked.keys()];
  }

  name(rowId: number): JsonValue | undefined {
    return this.#ask(rowId, NAME_KEY, { kind: 'name' });
  }

  attribute(rowId: number, path: string): JsonValue | undefined {
    return this.#ask(rowId, `attribute ${path}`, { kind: 'attribute', path });
  }

  /** Reads what is asked for. A span that is gone has no values. */
  static async read(scope: ReadScope, values: readonly OriginalValues[]): Promise<void> {
    const wanting = new Map<number, OriginalValues[]>();
    for (const one of values) {
      for (const rowId of one.asked) {
        const others = wanting.get(rowId);
        if (others === undefined) wanting.set(rowId, [one]);
        else others.push(one);
      }
    }
    const rows = await selectSpanRows(scope.db)
      .where('spans.id', 'in', scope.dialect.numbersOf([...wanting.keys()]))
      .orderBy('spans.id')
      .execute();
    // A damaged span has no values either, and the damage is noted.
    const onDamaged = () => undefined;
    for await (const { row, span } of readStoredSpans(scope, rows.map(toSpanRow), { onDamaged })) {
      for (const one of wanting.get(row.rowId) ?? []) {
        one.#answer(row.rowId, (question) =>
          question.kind === 'name' ? span.name : attributeAtPath(span.reading, question.path),
        );
      }
    }
    for (const one of values) {
      for (const rowId of one.asked) one.#answer(rowId, () => undefined);
    }
  }

  #ask(rowId: number, key: string, question: Question): JsonValue | undefined {
    const known = `${rowId} ${key}`;
    if (this.#answers.has(known)) return this.#answers.get(known);
    const questions = this.#asked.get(rowId);
    if (questions === undefined) this.#asked.set(rowId, new Map([[key, question]]));
    else questions.set(key, question);
    return undefined;
  }

  #answer(rowId: number, read: (question: Question) => JsonValue | undefined): void {
    for (const [key, question] of this.#asked.get(rowId) ?? []) this.#answers.set(`${rowId} ${key}`, read(question));
    this.#asked.delete(rowId);
  }
}

const NAME_KEY = 'name';
