import { getIntrospectionQuery, getOperationAST, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { exampleSchema } from './example-schema.fixture.ts';
import { assertWithinLimits } from './limits.ts';

const SCHEMA = exampleSchema({ reads: [] });

/** What is said against the document; empty for nothing. */
function refusal(text: string): string {
  const document = parse(text);
  expect(validate(SCHEMA, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('the document has no operation');
  try {
    assertWithinLimits(SCHEMA, document, operation);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const ID = '"UHJvamVjdDox"';

it('counts levels of fields, whatever the fragments that they stand in', () => {
  const nested = (levels: number) =>
    `node(id: ${ID}) { ... on Project { ${'next { '.repeat(levels - 2)} id ${'} '.repeat(levels - 2)} } }`;
  expect(refusal(`{ ${nested(20)} }`)).toBe('');
  expect(refusal(`{ ${nested(21)} }`)).toContain('is 21 levels deep');
  const fragment = `fragment Deep on Project { ${'next { '.repeat(18)} id ${'} '.repeat(18)} }`;
  expect(refusal(`{ node(id: ${ID}) { ...Deep } } ${fragment}`)).toBe('');
  expect(refusal(`{ node(id: ${ID}) { ... on Project { next { ...Deep } } } } ${fragment}`)).toContain('21 levels');
});

it('counts aliases of the operation and its fragments', () => {
  const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ');
  expect(refusal(`{ node(id: ${ID}) { ${aliases(50)} } }`)).toBe('');
  expect(
    refusal(`{ node(id: ${ID}) { ${aliases(25)} ...More } } fragment More on Node { b: id ${aliases(25)} }`),
  ).toContain('51 aliases');
});

it('counts nothing by how long lists may be', () => {
  const page = (inner: string) => `pages(first: 1000) { edges { node { name ${inner} } } }`;
  expect(refusal(`{ projects(first: 1000) { edges { node { friends { friends { friends { sum } } } } } } }`)).toBe('');
  expect(refusal(`{ ${page('')} a: ${page('sum')} }`)).toBe('');
});

it('takes no longer for fragments that spread each other again and again', () => {
  const fragments = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on Node { ...F${index + 1} ...F${index + 1} }`,
  );
  const begun = performance.now();
  expect(refusal(`{ node(id: ${ID}) { ...F0 } } ${fragments.join(' ')} fragment F60 on Node { id }`)).toBe('');
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it("lets GraphiQL's question for the whole schema pass", () => {
  expect(refusal(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }))).toBe('');
});

it('lets nobody ask for the same of the schema again and again', () => {
  const aliases = (count: number, selection: string) =>
    Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');
  const types = 'types { fields { name type { fields { name args { name type { name } } } } } }';
  expect(refusal(`{ __schema { ${types} } }`)).toBe('');
  expect(refusal(`{ __schema { ${aliases(50, types)} } }`)).toContain('more of the schema');
  expect(refusal(`{ ${aliases(50, `__schema { ${types} }`)} }`)).toContain('more of the schema');
  const fragments = `fragment F1 on __Type { ${aliases(10, 'fields { ...F2 }')} } fragment F2 on __Field { ${aliases(10, 'type { ...F3 }')} } fragment F3 on __Type { ${aliases(10, 'fields { name }')} }`;
  expect(refusal(`{ __schema { types { ...F1 } } } ${fragments}`)).toContain('more of the schema');
  expect(refusal(`{ ${aliases(50, '__type(name: "Project") { name fields { name } }')} }`)).toBe('');
});
