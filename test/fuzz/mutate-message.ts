/** Changes protobuf messages so that most of what is around a change stays a message. */
import { findOracleField } from '../oracle/otlp.ts';
import { readFields, type WireField, writeFields } from '../oracle/strict-wire.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { pick, type Random } from './random.ts';

/** A copy with one thing changed, somewhere in its tree; `bytes` must be a message. */
export function mutateMessage(random: Random, message: string, bytes: Uint8Array): Uint8Array {
  const fields = readFields(bytes);
  if (fields.length === 0) return writeFields([createUnknownField(random)]);
  const at = random(fields.length);
  const field = fields[at] as WireField;
  const known = findOracleField(message, field.number);
  const inner = known?.wireType === field.wireType ? known.message : undefined;
  if (inner !== undefined && random(8) > 0) {
    fields[at] = { ...field, content: mutateMessage(random, inner, field.content) };
  } else {
    pick(random, CHANGES)(random, fields, at);
  }
  return writeFields(fields);
}

type Change = (random: Random, fields: WireField[], at: number) => unknown;

const CHANGES: readonly Change[] = [
  (_random, fields, at) => fields.splice(at, 1),
  (_random, fields, at) => fields.splice(at, 0, fields[at] as WireField),
  (random, fields, at) => fields.push(...fields.splice(random(at + 1), 1)),
  (random, fields, at) => fields.splice(at, 0, createUnknownField(random)),
  (random, fields, at) => change(fields, at, { number: 1 + random(17) }),
  (random, fields, at) => change(fields, at, { wireType: random(6) }),
  (random, fields, at) => {
    const content = mutateBytes(random, fields[at]?.content ?? NOTHING, 1 + random(3));
    return change(fields, at, { content });
  },
  (random, fields, at) => change(fields, at, { content: createDeepValue(random(200)) }),
];

const NOTHING = new Uint8Array(0);

function change(fields: WireField[], at: number, changed: Partial<WireField>): void {
  fields[at] = { ...(fields[at] as WireField), ...changed };
}

/** A field that no schema knows: of any type, also a group, which may hold groups and may not end. */
function createUnknownField(random: Random): WireField {
  const number = pick(random, [19, 99, 2 ** 29 - 1]);
  const content = Uint8Array.from({ length: random(12) }, () => random(256));
  if (random(2) === 0) return { number, wireType: random(6), content };
  const depth = 1 + random(120);
  const open = Array<WireField>(depth).fill({ number: 20, wireType: 3, content: NOTHING });
  const close = Array<WireField>(depth - random(2)).fill({ number: 20, wireType: 4, content: NOTHING });
  const last = { number, wireType: 4, content: NOTHING };
  return { number, wireType: 3, content: writeFields([...open, ...close, last]) };
}

/** An `AnyValue` of lists and maps in each other, `levels` deep. */
export function createDeepValue(levels: number): Uint8Array {
  let value = writeFields([{ number: 1, wireType: 2, content: Buffer.from('deep') }]);
  for (let level = 0; level < levels; level++) {
    const isMap = level % 2 === 1;
    const entry = isMap ? writeFields([{ number: 2, wireType: 2, content: value }]) : value;
    const container = writeFields([{ number: 1, wireType: 2, content: entry }]);
    value = writeFields([{ number: isMap ? 6 : 5, wireType: 2, content: container }]);
  }
  return value;
}
