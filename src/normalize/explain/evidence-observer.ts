import type { Dialect, SpanEvidence } from '../dialects/dialect.ts';
import type { SentParts } from './sent-parts.ts';
import { WatchedAttributes } from './watched-attributes.ts';

/** Watches what dialects look at before they say that they speak in a span: the last of it decided. */
export class EvidenceObserver {
  readonly #watched: SpanEvidence;
  #lastSeen: string | null = null;

  /** @param plain the same parts, as dialects read them; it may have been translated since */
  constructor(parts: SentParts, plain: SpanEvidence) {
    const note = (text: string) => {
      this.#lastSeen = text;
    };
    const noteAttribute = (key: string) => note(`attribute ${key}`);
    const watched: SpanEvidence = {
      ...plain,
      attributes: new WatchedAttributes(parts.attributes, { onValue: noteAttribute, onPresence: noteAttribute }),
      events: plain.events.map((event) => watch(event, 'name', (name) => note(`event ${name}`))),
      records: plain.records.map((record) => watch(record, 'name', (name) => note(`log record ${name}`.trim()))),
      scope: watch(plain.scope, 'name', (name) => note(`scope ${name}`)),
      resource: watch(plain.resource, 'attributes', () => note('the resource')),
    };
    this.#watched = watch(watched, 'name', (name) => note(`the name ${name}`));
  }

  /** What told the dialect that it speaks in what was sent; `null` where nothing did. */
  evidenceOf(dialect: Dialect): string | null {
    this.#lastSeen = null;
    return dialect.speaks(this.#watched) ? this.#lastSeen : null;
  }
}

/** The object, which tells the value of a field whenever it is looked at. */
function watch<T extends object, Field extends keyof T>(target: T, field: Field, onRead: (value: T[Field]) => void): T {
  return new Proxy(target, {
    get(object, name, receiver): unknown {
      if (name === field) onRead(object[field]);
      return Reflect.get(object, name, receiver);
    },
  });
}
