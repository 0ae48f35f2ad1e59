/** What hostile operations cost: they end when their answer has become too large, with what that took of time and memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '#domain/caller';
import { exampleSchema } from './example-schema.fixture.ts';
import { type OperationResult, Operations } from './operation.ts';

const PROJECT = 'node(id: "UHJvamVjdDoy") { ... on Project';

let faults: unknown[];
let taken: number;

beforeEach(() => {
  faults = [];
  taken = 0;
});

const operations = new Operations(exampleSchema({ reads: [] }));

function ask(query: string): Promise<OperationResult> {
  const room = { grow: (bytes: number) => (taken += bytes) > 0 };
  const signal = new AbortController().signal;
  const onFault = (error: unknown) => faults.push(error);
  return operations.run(
    { query, variables: {}, operationName: null },
    { caller: ANONYMOUS, signal, room, onFault },
  ) as Promise<OperationResult>;
}

const aliases = (count: number, selection: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');

const nested = (levels: number, inner: string) => `${'friends { '.repeat(levels)} ${inner} ${'} '.repeat(levels)}`;

describe('an answer that would be too large', () => {
  it.each<[string, string]>([
    ['lists in lists', `{ ${PROJECT} { ${nested(17, 'id')} } } }`],
    ['lists in lists that ask for nothing but the type', `{ ${PROJECT} { ${nested(17, '__typename')} } } }`],
    ['fifty aliases of lists in lists', `{ ${PROJECT} { ${aliases(50, nested(10, 'id'))} } } }`],
    ['other names of the type', `{ ${PROJECT} { ${nested(2, aliases(50, '__typename'))} } } }`],
    [
      'fragments that double what they spread',
      `{ ${PROJECT} { ...F0 } } } ${Array.from(
        { length: 17 },
        (_, index) => `fragment F${index} on Project { self { ...F${index + 1} } b: self { ...F${index + 1} } }`,
      ).join(' ')} fragment F17 on Project { friends { id } }`,
    ],
    ['sums', `{ ${PROJECT} { friends { sum } } } }`],
    ['fields that fail', `{ ${PROJECT} { friends { friends { broken } } } } }`],
  ])('ends: %s', async (_what, query) => {
    const answer = await ask(query);
    expect(answer).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^The response has more than 250,000 values\. Ask for /),
          extensions: { code: 'invalid_argument' },
        },
      ],
    });
    expect(faults.length).toBeLessThan(250_000 / 20);
  });

  it('is refused for a circle of fragments, before anything runs', async () => {
    const { data, errors } = await ask(
      `{ ${PROJECT} { ...A } } } fragment A on Project { next { ...B } } fragment B on Project { next { ...A } }`,
    );
    expect([data, errors?.[0]?.message]).toEqual([undefined, expect.stringContaining('Cannot spread fragment')]);
  });
});

it('counts the rows of a page that is asked for nothing of them', async () => {
  const ends = (count: number) =>
    `{ ${PROJECT} { friends { ${aliases(count, 'friendsPage { pageInfo { hasNextPage } }')} } } } }`;
  expect(await ask(ends(1))).toMatchObject({ data: {} });
  expect(await ask(ends(2))).toMatchObject({ errors: [{ extensions: { code: 'invalid_argument' } }] });
});

it('counts nothing twice: the row of a page with its page, and each field by what it costs', async () => {
  // An edge, its node and its cursor are two values, so that 400 pages of 400 rows without cursors have room.
  const rows = (selection: string) => `{ ${PROJECT} { friends { friendsPage { edges { ${selection} } } } } }`;
  expect(await ask(`${rows('node { __typename }')} }`)).toMatchObject({ data: {} });
  expect(await ask(`${rows('cursor node { __typename }')} }`)).toMatchObject({
    errors: [{ extensions: { code: 'invalid_argument' } }],
  });
  const sums = (count: number) => `{ projects(first: 9) { edges { node { ${aliases(count, 'sum')} } } } }`;
  expect(await ask(sums(27))).toMatchObject({ data: {} });
  expect(await ask(sums(28))).toMatchObject({ errors: [{ extensions: { code: 'invalid_argument' } }] });
});

it('takes room for each page that waits', async () => {
  await ask(`{ ${PROJECT} { ${aliases(3, 'friendsPage { pageInfo { hasNextPage } }')} } } }`);
  expect(taken).toBe(3 * 2048);
});

it('takes room for values as there come to be many of them', async () => {
  await ask(`{ ${PROJECT} { friends { __typename } } } }`);
  expect(taken).toBe(0);
  await ask(`{ ${PROJECT} { friends { friends { __typename } } } } }`);
  const values = 400 * 400;
  expect(taken).toBeGreaterThan(values * 80);
  expect(taken).toBeLessThan(values * 100);
});
