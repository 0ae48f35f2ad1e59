/** Whatever a library puts under the names of a dialect, it is read. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import type { AnyValue } from '#otlp/messages';
import { type DialectSpan, readSpan } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';
import { toJsonValue } from '../json-value.ts';

/** What the file of a dialect in `#semconv` names. */
interface Vocabulary {
  readonly keys: readonly string[];
  readonly scopes: readonly string[];
  readonly events: readonly string[];
}

const SEMCONV = new URL('../../semconv/', import.meta.url);
const VOCABULARIES = await Promise.all(
  readdirSync(SEMCONV).map(async (file): Promise<readonly [string, Vocabulary]> => {
    const names = Object.entries((await import(new URL(file, SEMCONV).href)) as Record<string, unknown>);
    const texts = (prefix: string) =>
      names.flatMap(([name, text]) => (name.startsWith(prefix) && typeof text === 'string' ? [text] : []));
    const prefixes = texts('PREFIX_').flatMap((prefix) => [`${prefix}a`, `${prefix}0.role`, `${prefix}7.content`]);
    return [file, { keys: [...texts('ATTR_'), ...prefixes], scopes: texts('SCOPE_'), events: texts('EVENT_') }];
  }),
);

const COMMON_KEYS = [
  'openinference.span.kind',
  'gen_ai.operation.name',
  'gen_ai.system',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.usage.input_tokens',
  'gen_ai.event.content',
  'event.name',
  'session.id',
  'content',
  'message',
  'role',
  'tool_calls',
  'id',
  '__proto__.x',
];

const COMMON_EVENTS = [
  'gen_ai.user.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.client.inference.operation.details',
];

/** Texts that are nearly what some dialect reads. */
const TEXTS = [
  '[{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"c","name":"f","input":{}}]}]',
  '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{"}}]}]}',
  '{"contents":[{"parts":[{"function_call":{"name":"f","args":null}}]}],"config":{"tools":[{}]}}',
  '{"choices":[{"message":null},{"message":{"content":[1,null,{}]}}],"usage":{"prompt_tokens":-1}}',
  '[[{"kwargs":{"content":"x","type":"human"}}]]',
  '{"inputs":{"messages":[{"kwargs":{"tool_calls":[{}]}}]},"kwargs":{"tool_call_id":7}}',
  "{'role': 'user', 'content': [{'text': 'x'}, <object>]}",
  "[TextBlock(text='x', type='text')",
  '[{"toolResult":{"toolUseId":null,"content":[{"json":{}}]}}]',
  '{"embedding":[1.0,2],"data":[{"embedding":"x"}]}',
  '[{"role":"user","cont',
  'chat',
  'execute_tool',
  'embeddings',
  'LLM',
  '9999999999999999999999',
  '-0',
  'null',
];

const anyValue = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: fc.constantFrom(...TEXTS), weight: 4 },
    fc.string({ unit: 'binary' }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.record({ key: fc.constantFrom(...COMMON_KEYS), value: tie('value') }), { maxLength: 3 })
      .map((entries) => ({ entries })),
  ),
})).value;

describe.each(VOCABULARIES)('%s', (_file, { keys, scopes, events }) => {
  const key = fc.constantFrom(...keys, ...COMMON_KEYS);
  const scope = fc.constantFrom('test', ...scopes);
  const attributes = fc.dictionary(key, anyValue, { maxKeys: 8 });
  const carrier = fc.tuple(fc.constantFrom(...events, ...COMMON_EVENTS), attributes, anyValue);
  const name = fc.constantFrom('step', 'chat', 'claude_code.tool', 'a.workflow', 'execute_tool f', ...keys);
  const anySpan = fc
    .tuple(name, scope, attributes, fc.array(carrier, { maxLength: 3 }), fc.array(carrier, { maxLength: 3 }))
    .map(
      ([spanName, scopeName, values, sent, logged]): DialectSpan => ({
        name: spanName,
        scope: scopeName,
        attributes: values,
        events: sent.map(([event, fields]) => otlpEvent(event, fields)),
        records: logged.map(([event, fields, body]) => ({
          name: event,
          timeUnixNano: 0n,
          attributes: fields === null ? {} : (toJsonValue({ entries: toEntries(fields) }) as Record<string, JsonValue>),
          body: body === null ? undefined : toJsonValue(body),
        })),
      }),
    );

  it('is read without failing, twice the same, into text that can be stored', () => {
    fc.assert(
      fc.property(anySpan, (sent) => {
        const span = readSpan(sent);
        expect(readSpan(sent)).toEqual(span);
        const json = JSON.stringify(span, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every attribute that was sent', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key), scope, (sent, scopeName) => {
        const span = readSpan({
          scope: scopeName,
          attributes: Object.fromEntries(sent.map((one) => [one, `its ${one}`])),
        });
        const values = flattenAttributes(span.attributes).map(([, value]) => value);
        for (const one of sent) expect(values).toContain(`its ${one}`);
      }),
    );
  });
});

function toEntries(fields: Readonly<Record<string, AnyValue>>): { key: string; value: AnyValue }[] {
  return Object.entries(fields).map(([key, value]) => ({ key, value }));
}
