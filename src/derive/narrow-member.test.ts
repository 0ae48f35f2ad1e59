import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberPacker } from './narrow-codes.ts';
import { parseNarrowAttributes } from './narrow-attributes.ts';
import { isInside, narrowMember } from './narrow-member.ts';

/** What the whole object says. */
function readWhole(attributes: string, path: string) {
  const members = parseNarrowAttributes(attributes);
  return {
    value: Object.hasOwn(members, path) ? members[path] : undefined,
    isObject: Object.keys(members).some((member) => isInside(member, path)),
  };
}

function readMember(attributes: string, path: string) {
  const { valueIn, isObjectIn } = narrowMember(path);
  return { value: valueIn(attributes), isObject: isObjectIn(attributes) };
}

const PATHS = ['a', 'a.b', 'a.b.c', '', ',', ':1', '__proto__', 'ä', 'a"', '"a', '{', '5'];
/** Texts that look like members, or like the ends of some. */
const PARTS = ['"', '\\', ',', '{', '}', ':', 'a', 'a.b', '.', '"a":', '"a":1', ',"a":1', '{"a":', '1', ' ', 'ä', '5'];

describe('one member of a narrow row', () => {
  it('is what the whole object says, whatever texts hold', () => {
    const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join(''));
    // After an object with the name `a\\`, V8 14 reads the name `a\"` of the next one as that, too.
    const key = fc.oneof(fc.constantFrom(...PATHS), text).filter((name) => !name.endsWith('\\'));
    const token = fc.constantFrom('1', '-1.5', '1.0', '-0', '-0.0', '1e3', '9007199254740993', 'true', 'false', 'null');
    const value = fc.oneof(
      token,
      text.map((plain) => JSON.stringify(plain)),
    );
    const object = fc
      .uniqueArray(fc.tuple(key, value), { maxLength: 6, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`);
    fc.assert(
      fc.property(object, key, (attributes, path) => {
        expect(readMember(attributes, path)).toEqual(readWhole(attributes, path));
      }),
      { numRuns: 3000, seed: 20_261_122 },
    );
  });

  it.each(['{"a": 1, "a.b":2}', ' { "b":1,"a":"x" }', '{"a":"x","a":"y"}', '{"b":"\\"a\\":1","a.":2}'])(
    'of %s',
    (attributes) => {
      for (const path of PATHS) expect(readMember(attributes, path)).toEqual(readWhole(attributes, path));
    },
  );

  it('is the same of packed rows, whose names, and members of few values, have codes', () => {
    const names = ['session.id', 'llm.model_name', 'gen_ai.agent.name', 'openinference.span.kind', 'plain', 'llm'];
    const keys = fc.constantFrom(...names, ...names.map((name) => `${name}.inside`));
    const value = fc.constantFrom('"LLM"', '"x"', '""', '"\\"session.id\\":1"', '"session.id"', '1', '1.0', 'null');
    // What an object holds can have the name of another attribute.
    const lists = fc.array(fc.tuple(keys, value), { maxLength: 6 });
    fc.assert(
      fc.property(lists, fc.boolean(), fc.constantFrom(...names), (members, isPacked, path) => {
        const pack = ([key, json]: (typeof members)[number]) =>
          isPacked ? memberPacker(JSON.stringify(key))(json) : `${JSON.stringify(key)}:${json}`;
        const attributes = `{${members.map(pack).join(',')}}`;
        expect(readMember(attributes, path)).toEqual(readWhole(attributes, path));
      }),
      { numRuns: 3000, seed: 20_261_127 },
    );
  });
});
