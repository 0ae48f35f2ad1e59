import type { JsonValue } from '#base/json';
import type { KeyValue } from '#otlp/messages';
import { FlatAttributes } from '../flat-attributes.ts';

/** Is told what was looked up and is there. */
export interface AttributeWatcher {
  /** The value of this key was asked for. */
  onValue(key: string): void;
  /** It was asked whether there are keys with a common beginning; this is the first of them. */
  onPresence(key: string): void;
}

/** A span's attributes that tell what is looked up in them. */
export class WatchedAttributes extends FlatAttributes {
  readonly #watcher: AttributeWatcher;

  constructor(attributes: readonly KeyValue[], watcher: AttributeWatcher) {
    super(attributes);
    this.#watcher = watcher;
  }

  override get(key: string): JsonValue | undefined {
    const value = super.get(key);
    if (value !== undefined) this.#watcher.onValue(key);
    return value;
  }

  override getText(key: string): string | undefined {
    const text = super.getText(key);
    if (text !== undefined) this.#watcher.onValue(key);
    return text;
  }

  override hasRoot(root: string): boolean {
    const isThere = super.hasRoot(root);
    if (isThere) this.#tellFirst((key) => key === root || key.startsWith(`${root}.`));
    return isThere;
  }

  override hasPrefix(prefix: string): boolean {
    const isThere = super.hasPrefix(prefix);
    if (isThere) this.#tellFirst((key) => key.startsWith(prefix));
    return isThere;
  }

  override hasNamespace(key: string): boolean {
    const isThere = super.hasNamespace(key);
    if (isThere) this.#tellFirst((candidate) => candidate === key || candidate.startsWith(`${key}.`));
    return isThere;
  }

  #tellFirst(isMeant: (key: string) => boolean): void {
    for (const [key] of this.entries()) {
      if (!isMeant(key)) continue;
      this.#watcher.onPresence(key);
      return;
    }
  }
}
