/**
 * The texts of one trace in one part: which of its spans hold each, and which held it first. Changes are gathered here and
 * written together. A text that its first span loses stays under its id as long as another span holds it; the row of that
 * span stays for it, too.
 */
import { hash } from 'node:crypto';
import { memoizeText } from '#base/memoize-text';
import { ALL_DOUBTS, type Doubts, type PlaceBits } from '#derive/search/scope';
import type { SearchableTexts } from '#derive/search/searchable-texts';
import {
  decodeIntroduced,
  encodeHeld,
  encodeIntroduced,
  firstTextOf,
  HASH_BYTES,
  visitHeld,
} from '../texts/span-texts.ts';
import { SPAN_TEXTS, spanOfText, textId } from '../words/text-ids.ts';

/** A row of `search_spans`. */
export interface SpanTextsRow {
  readonly spanRowId: number;
  readonly traceRowId: number;
  readonly introduced: Uint8Array;
  readonly held: Uint8Array;
  readonly doubts: Doubts;
}

/** A text to be indexed. */
export interface IndexedText {
  readonly id: number;
  readonly text: string;
}

/** What has changed. */
export interface TextChanges {
  /** Rows to be written, whether or not they are there. */
  readonly rows: readonly SpanTextsRow[];
  readonly removedRowIds: readonly number[];
  readonly added: readonly IndexedText[];
  /** Texts that are no longer indexed, those included that are then added anew. */
  readonly removedTextIds: readonly number[];
}

interface SpanTexts {
  readonly introduced: Map<string, number>;
  held: Map<number, PlaceBits>;
  doubts: Doubts;
  isChanged: boolean;
}

/** The texts of a trace, as they are stored until something changes them. */
export class TraceTexts {
  readonly #traceRowId: number;
  readonly #spans = new Map<number, SpanTexts>();
  readonly #idByHash = new Map<string, number>();
  readonly #added = new Map<number, string>();
  /** Those of the added that are indexed already. */
  readonly #renewed = new Set<number>();
  readonly #stored = new Set<number>();
  #mayLose = false;

  constructor(traceRowId: number, rows: readonly SpanTextsRow[]) {
    this.#traceRowId = traceRowId;
    for (const { spanRowId, introduced, held, doubts } of rows) {
      const texts: SpanTexts = {
        introduced: decodeIntroduced(spanRowId, introduced),
        held: new Map(),
        doubts,
        isChanged: false,
      };
      const first = firstTextOf(spanRowId);
      visitHeld(held, (offset, places) => texts.held.set(first + offset, places));
      for (const [textHash, id] of texts.introduced) this.#idByHash.set(textHash, id);
      this.#spans.set(spanRowId, texts);
      this.#stored.add(spanRowId);
    }
  }

  /**
   * The span holds these texts, and no others. Returns how many characters are to be indexed for it.
   * @param isAnew whether texts that are indexed already are indexed again
   */
  put(spanRowId: number, { texts, doubts }: SearchableTexts, isAnew: boolean): number {
    const known = this.#spans.get(spanRowId);
    if (known === undefined && texts.size === 0 && doubts === 0) return 0;
    let characterCount = 0;
    const add = (id: number, text: string) => {
      this.#added.set(id, text);
      characterCount += text.length;
    };
    const span = known ?? {
      introduced: new Map<string, number>(),
      held: new Map<number, PlaceBits>(),
      doubts,
      isChanged: true,
    };
    this.#spans.set(spanRowId, span);
    this.#mayLose ||= span.held.size > 0;
    span.held = new Map();
    span.doubts = doubts;
    span.isChanged = true;
    const taken = new Set(span.introduced.values());
    let ordinal = 0;
    for (const [text, places] of texts) {
      const textHash = hashText(text);
      let id = this.#idByHash.get(textHash);
      if (id === undefined) {
        while (taken.has(textId(spanRowId, ordinal))) ordinal++;
        if (ordinal >= SPAN_TEXTS) {
          span.doubts = ALL_DOUBTS;
          break;
        }
        id = textId(spanRowId, ordinal++);
        span.introduced.set(textHash, id);
        this.#idByHash.set(textHash, id);
        add(id, text);
      } else if (isAnew && !this.#added.has(id) && this.#isFirst(spanRowId, id)) {
        this.#renewed.add(id);
        add(id, text);
      }
      span.held.set(id, (span.held.get(id) ?? 0) | places);
    }
    return characterCount;
  }

  /** The span is gone. */
  remove(spanRowId: number): void {
    const span = this.#spans.get(spanRowId);
    if (span === undefined) return;
    span.held = new Map();
    span.doubts = 0;
    span.isChanged = true;
    this.#mayLose = true;
  }

  changes(): TextChanges {
    const removedTextIds = new Set([...(this.#mayLose ? this.#dropUnheld() : []), ...this.#renewed]);
    const rows: SpanTextsRow[] = [];
    const removedRowIds: number[] = [];
    for (const [spanRowId, { introduced, held, doubts, isChanged }] of this.#spans) {
      if (!isChanged) continue;
      if (introduced.size + held.size + doubts > 0) {
        const packed = { introduced: encodeIntroduced(introduced), held: encodeHeld(spanRowId, held) };
        rows.push({ spanRowId, traceRowId: this.#traceRowId, ...packed, doubts });
      } else if (this.#stored.has(spanRowId)) removedRowIds.push(spanRowId);
    }
    const added = [...this.#added].map(([id, text]) => ({ id, text }));
    return { rows, removedRowIds, added, removedTextIds: [...removedTextIds] };
  }

  /** Whether it is this span's to have the text indexed again: its own, or one that its first span no longer holds. */
  #isFirst(spanRowId: number, id: number): boolean {
    const first = spanOfText(id);
    return first === spanRowId || this.#spans.get(first)?.held.has(id) !== true;
  }

  #dropUnheld(): readonly number[] {
    const held = new Set<number>();
    for (const span of this.#spans.values()) for (const id of span.held.keys()) held.add(id);
    const dropped: number[] = [];
    for (const span of this.#spans.values()) {
      for (const [textHash, id] of span.introduced) {
        if (held.has(id)) continue;
        span.introduced.delete(textHash);
        span.isChanged = true;
        this.#idByHash.delete(textHash);
        if (!this.#added.delete(id) || this.#renewed.has(id)) dropped.push(id);
      }
    }
    return dropped;
  }
}

/** What a text is known by in its trace. Spans repeat what those before them said, and looking a short one up takes a tenth of making its hash. */
export const hashText = memoizeText(
  // As a text at once: a buffer in between would take longer than the digest of most texts.
  (text) => hash('sha256', text, 'binary').slice(0, HASH_BYTES),
  { maxTextLength: 1024 },
);
