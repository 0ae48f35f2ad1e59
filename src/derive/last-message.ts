/** The last message of a model call as its attributes hold it, whichever form they have: flat keys, a list, or a tree. */
import { isJsonObject, type JsonValue } from '#base/json';
import { memoizeText } from '#base/memoize-text';

/** What a message asks a tool to do. */
export interface ToolCall {
  readonly id: string | undefined;
  readonly name: string;
  /** An object, or the text that the model wrote; undefined: none. */
  readonly arguments: JsonValue | undefined;
}

/** The parts of a message that lists show. */
export interface LastMessage {
  readonly role: string | undefined;
  readonly text: string | undefined;
  /** The call that it is the result of. */
  readonly callId: string | undefined;
  /** Of the tool whose result it is. */
  readonly toolName: string | undefined;
  readonly calls: readonly ToolCall[];
}

/** The last of the messages below a key such as `llm.output_messages`; undefined where there is none. */
export function lastMessage(
  entries: Iterable<readonly [key: string, value: JsonValue]>,
  listKey: string,
): LastMessage | undefined {
  const [root = '', ...rest] = listKey.split('.');
  const flat = new FlatMessages();
  for (const [key, value] of entries) {
    const { list, index, field } = describeKey(key);
    if (list === listKey) flat.add(index, field, value);
    else if (key === listKey) flat.addList(value);
    else if (key === root && isJsonObject(value)) flat.addList(value[rest.join('.')]);
  }
  return flat.read();
}

/** Keys repeat from span to span. A key that is no message's has no list. */
const describeKey = memoizeText((key) => {
  const [, list = '', digits, field = ''] = MESSAGE_KEY.exec(key) ?? [];
  const index = Number(digits);
  return { list: Number.isSafeInteger(index) ? list : '', index, field };
});

const MESSAGE_KEY = /^(.+?)\.(\d+)\.message\.(.*)$/s;

/** Collects the fields of the message with the highest index, and the names of the tools that messages before it call. */
class FlatMessages {
  #last = -1;
  #fields = new Map<string, JsonValue>();
  /** By place of the message and of the call in it. */
  readonly #called = new Map<string, { id?: string; name?: string }>();

  add(index: number, field: string, value: JsonValue): void {
    if (Array.isArray(value) && (field === 'tool_calls' || field === 'contents')) {
      this.#addItems(index, field, value);
      return;
    }
    this.#noteCall(index, field, value);
    if (index < this.#last) return;
    if (index > this.#last) this.#fields = new Map();
    this.#last = index;
    this.#fields.set(field, value);
  }

  addList(list: JsonValue | undefined): void {
    if (!Array.isArray(list)) return;
    for (const [index, item] of list.entries()) {
      const message = isJsonObject(item) ? item['message'] : undefined;
      if (!isJsonObject(message)) continue;
      for (const [field, value] of Object.entries(message)) this.add(index, field, value);
    }
  }

  #addItems(index: number, list: string, items: readonly JsonValue[]): void {
    for (const [place, item] of items.entries()) {
      const inner = isJsonObject(item) ? (item['tool_call'] ?? item['message_content']) : undefined;
      if (!isJsonObject(inner)) continue;
      const at = `${list}.${place}.${isJsonObject(item) && 'tool_call' in item ? 'tool_call' : 'message_content'}`;
      for (const [field, value] of Object.entries(inner)) {
        if (field === 'function' && isJsonObject(value)) {
          for (const [name, of] of Object.entries(value)) this.add(index, `${at}.function.${name}`, of);
        } else this.add(index, `${at}.${field}`, value);
      }
    }
  }

  #noteCall(index: number, field: string, value: JsonValue): void {
    if (typeof value !== 'string' || !field.startsWith('tool_calls.')) return;
    const [, place, part] = CALL_FIELD.exec(field) ?? [];
    if (part !== 'id' && part !== 'function.name') return;
    const key = `${index}.${place}`;
    const call = this.#called.get(key) ?? {};
    if (part === 'id') call.id = value;
    else call.name = value;
    this.#called.set(key, call);
  }

  read(): LastMessage | undefined {
    if (this.#last < 0) return undefined;
    const callId = this.#text('tool_call_id');
    return {
      role: this.#text('role'),
      text: this.#text('content') ?? this.#firstText(),
      callId,
      toolName: this.#text('name') ?? this.#nameOf(callId),
      calls: this.#calls(),
    };
  }

  #text(field: string): string | undefined {
    const value = this.#fields.get(field);
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  }

  #firstText(): string | undefined {
    for (const [field, value] of this.#fields) {
      if (CONTENT_TEXT.test(field) && typeof value === 'string' && value.trim() !== '') return value;
    }
    return undefined;
  }

  #nameOf(callId: string | undefined): string | undefined {
    if (callId === undefined) return undefined;
    for (const { id, name } of this.#called.values()) if (id === callId) return name;
    return undefined;
  }

  #calls(): readonly ToolCall[] {
    const calls = new Map<number, Record<string, JsonValue>>();
    for (const [field, value] of this.#fields) {
      const what = CALL_FIELD.exec(field);
      if (what === null) continue;
      const place = Number(what[1]);
      calls.set(place, { ...calls.get(place), [what[2] ?? '']: value });
    }
    const found = [...calls]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, { id, 'function.name': name, 'function.arguments': given }]) =>
        typeof name === 'string' && name !== ''
          ? [{ id: typeof id === 'string' ? id : undefined, name, arguments: given }]
          : [],
      );
    if (found.length > 0) return found;
    const name = this.#text('function_call_name');
    if (name === undefined) return [];
    return [{ id: undefined, name, arguments: this.#fields.get('function_call_arguments_json') }];
  }
}

const CALL_FIELD = /^tool_calls\.(\d{1,5})\.tool_call\.(id|function\.name|function\.arguments)$/;
const CONTENT_TEXT = /^contents\.\d{1,5}\.message_content\.text$/;
