import type { GraphQLSchema } from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '#domain/access';
import type { Caller, Role } from '#domain/caller';
import { keyCaller, userCaller } from '#domain/callers.fixture';
import type { AnswerRoom } from './allowance.ts';
import { AppError } from '#base/errors';
import { exampleSchema, schemaWithoutAccess } from './example-schema.fixture.ts';
import { type OperationAnswer, type OperationResult, Operations } from './operation.ts';

const SECOND = 'UHJvamVjdDoy';

const TOO_MANY = {
  message:
    'The response has more than 250,000 values. Ask for smaller pages, fewer fields, or fewer objects: a filter or a time range helps.',
  extensions: { code: 'invalid_argument' },
};

/** Asks so many projects for their friends. */
const friends = (selection: string, count: number) =>
  `{ nodes(ids: [${`"${SECOND}" `.repeat(count)}]) { ... on Project { friends { ${selection} } } } }`;

let reads: (readonly number[])[];
let faults: unknown[];
let schema: GraphQLSchema;

beforeEach(() => {
  reads = [];
  faults = [];
  schema = exampleSchema({ reads });
});

interface Asked {
  readonly operationName?: string;
  readonly room?: AnswerRoom;
  readonly role?: Role;
  /** Somebody of the role unless it is given. */
  readonly caller?: Caller;
  readonly variables?: Record<string, unknown>;
  readonly signal?: AbortSignal;
  readonly maxMs?: number;
  readonly noteRefusal?: (permission: Permission) => void;
}

function ask(query: string, { role = 'admin', variables = {}, ...more }: Asked = {}): Promise<OperationAnswer> {
  const { signal = new AbortController().signal, operationName = null, maxMs, room, noteRefusal } = more;
  const { caller = userCaller(role) } = more;
  const operations = new Operations(schema, maxMs);
  const onFault = (error: unknown) => faults.push(error);
  return operations.run(
    { query, variables, operationName },
    { caller, signal, onFault, ...(room !== undefined && { room }), ...(noteRefusal !== undefined && { noteRefusal }) },
  );
}

describe('nodes', () => {
  it('are found by id, each with its type', async () => {
    expect(await ask(`{ node(id: "${SECOND}") { __typename id ... on Project { name } } }`)).toEqual({
      data: { node: { __typename: 'Project', id: SECOND, name: 'row 2' } },
    });
  });

  it('that are many are read at once; one that is not there is null, an id of nothing an error', async () => {
    const query = `{ nodes(ids: ["${SECOND}", "${btoa('Project:99')}", "x", "${btoa('Span:1')}"]) { id } }`;
    const { data, errors } = (await ask(query)) as OperationResult;
    expect(data).toEqual({ nodes: [{ id: SECOND }, null, null, null] });
    expect(errors?.map(({ path }) => path)).toEqual([
      ['nodes', 2],
      ['nodes', 3],
    ]);
    expect(reads).toEqual([[2, 99]]);
  });
});

describe('loaders', () => {
  it('read what a level of the answer needs at once, and each key once in an operation', async () => {
    await ask('{ projects(first: 3) { edges { node { next { next { name } } } } } }');
    expect(reads).toEqual([[1, 2, 3], [4], [5]]);
  });

  it('know nothing from before a change', async () => {
    await ask(`mutation { a: change { node(id: "${SECOND}") { id } } b: change { node(id: "${SECOND}") { id } } }`);
    expect(reads).toEqual([[2], [2]]);
  });

  it('know nothing from before an event', async () => {
    schema = exampleSchema({
      reads,
      events: async function* () {
        yield 2;
        yield 2;
      },
    });
    const events = (await ask('subscription { events { id } }')) as AsyncIterableIterator<OperationResult>;
    const results: OperationResult[] = [];
    for await (const result of events) results.push(result);
    expect(results).toEqual([{ data: { events: { id: SECOND } } }, { data: { events: { id: SECOND } } }]);
    expect(reads).toEqual([[2], [2]]);
  });
});

describe('access', () => {
  it('of a field is held where it differs from that of its type', async () => {
    const query = `{ node(id: "${SECOND}") { ... on Project { name secret } } }`;
    expect(await ask(query)).toMatchObject({ data: { node: { secret: 'hidden' } } });
    expect(await ask(query, { role: 'member' })).toMatchObject({
      errors: [{ message: 'Only admin can perform this action', extensions: { code: 'permission_denied' } }],
    });
  });

  it('is noted where it is refused, before a field is resolved or by what resolves it', async () => {
    const noted: string[] = [];
    const noteRefusal = ({ operation }: { readonly operation: string }) => void noted.push(operation);
    await ask(`{ node(id: "${SECOND}") { ... on Project { name refused } } }`, { noteRefusal });
    await ask(`{ node(id: "${SECOND}") { ... on Project { name secret } } }`, { role: 'member', noteRefusal });
    expect(noted).toEqual(['test.read', 'test.manage']);
  });

  it('of a type is refused, and noted, once where an object is looked for by its id', async () => {
    const noted: string[] = [];
    const noteRefusal = ({ operation }: { readonly operation: string }) => void noted.push(operation);
    const caller = keyCaller('admin', { operations: 'ingest', projects: null });
    expect(await ask(`{ node(id: "${SECOND}") { __typename } }`, { caller, noteRefusal })).toMatchObject({
      errors: [{ extensions: { code: 'permission_denied' } }],
    });
    expect([noted.length, reads]).toEqual([1, []]);
  });

  it('of changes is not for viewers', async () => {
    expect(await ask('mutation { change { __typename } }', { role: 'member' })).toMatchObject({ data: {} });
    expect(await ask('mutation { change { __typename } }', { role: 'viewer' })).toMatchObject({
      errors: [{ message: 'Viewers cannot perform this action' }],
    });
  });

  it('of a subscription is asked before it watches anything', async () => {
    const query = 'subscription { secretEvents { id } }';
    schema = exampleSchema({ reads, events: () => expect.fail('nothing is watched') });
    expect(await ask(query, { role: 'member' })).toMatchObject({
      errors: [{ message: 'Only admin can perform this action', path: ['secretEvents'] }],
    });
  });

  it('must be said of every type', () => {
    expect(schemaWithoutAccess).toThrow('The type Project does not declare who may read it.');
  });
});

describe('errors', () => {
  it('that were raised for the caller reach it, with their code and without their cause', async () => {
    expect(await ask('{ refuse }')).toEqual({
      data: null,
      errors: [
        {
          message: 'There is one already.',
          path: ['refuse'],
          locations: [{ line: 1, column: 3 }],
          extensions: { code: 'already_exists' },
        },
      ],
    });
    expect(faults).toEqual([]);
  });

  it('that nobody expected are masked, and told to the server', async () => {
    const { data, errors } = (await ask('{ fail }')) as OperationResult;
    expect([data, errors?.[0]?.message]).toEqual([{ fail: null }, 'Internal Server Error']);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
    expect(faults).toEqual([expect.objectContaining({ message: 'the password is hunter2' })]);
  });

  it('of times say what a time looks like', async () => {
    expect(await ask('{ time(at: "2026-01-31T12:00:00.000001Z") }')).toEqual({
      data: { time: '2026-01-31T12:00:00.000001+00:00' },
    });
    expect(await ask('{ time(at: "soon") }')).toMatchObject({
      errors: [{ message: expect.stringContaining('A time is') }],
    });
  });
});

describe('the operation that is meant', () => {
  const QUERIES = 'query A { __typename } query B { b: __typename }';

  it.each([
    ['named', QUERIES, 'B', { b: 'Query' }],
    ['the only one', 'query A { __typename }', undefined, { __typename: 'Query' }],
    ['the only one, by an empty name', '{ __typename }', '', { __typename: 'Query' }],
  ])('is %s', async (_how, query, operationName, data) => {
    expect(await ask(query, { ...(operationName !== undefined && { operationName }) })).toEqual({ data });
  });

  it.each([
    [QUERIES, undefined, 'The document has several operations: choose one with operationName, A or B.'],
    [QUERIES, 'C', 'The document has no operation named C: it has A and B.'],
    ['query A { __typename }', 'a', 'The document has no operation named a: it has A.'],
    [
      '{ __typename }',
      'A',
      'The document has no operation named A. Its only operation has no name, so leave operationName out.',
    ],
    [
      Array.from({ length: 12 }, (_, index) => `query Q${index} { __typename }`).join(' '),
      'x'.repeat(1000),
      /^The document has no operation named x{100}…: it has Q0, .*, Q9 and 2 more\.$/,
    ],
  ])('is missed in %s by %s', async (query, operationName, message) => {
    const { data, errors } = (await ask(query, {
      ...(operationName !== undefined && { operationName }),
    })) as OperationResult;
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        extensions: { code: 'invalid_argument' },
      },
    ]);
  });
});

describe('an operation', () => {
  it('that takes too long is given up', async () => {
    schema = exampleSchema({ reads, gate: new Promise(() => undefined) });
    expect(await ask('{ wait }', { maxMs: 20 })).toMatchObject({
      errors: [{ extensions: { code: 'deadline_exceeded' } }],
    });
    expect(faults).toEqual([]);
  });

  it('that has failed is waited for by nothing that it asked for', async () => {
    let isUnneeded = false;
    schema = exampleSchema({ reads, gate: new Promise(() => undefined), onUnneeded: () => void (isUnneeded = true) });
    expect(await ask('{ wait refuse }')).toMatchObject({ errors: [{ extensions: { code: 'already_exists' } }] });
    expect(isUnneeded).toBe(true);
    expect(faults).toEqual([]);
  });

  it('that answers too many values is given up before it is long: a query, and what is read after a change', async () => {
    expect(await ask(friends('id', 1))).toMatchObject({ data: { nodes: [{ friends: { length: 400 } }] } });
    expect(await ask(friends('friends { id }', 1))).toEqual({ errors: [TOO_MANY] });
    const change = `mutation { change ${friends('friends { id }', 1)} }`;
    expect(await ask(change)).toEqual({ errors: [TOO_MANY] });
    expect(faults).toEqual([]);
  });

  it('that answers too many texts is given up', async () => {
    const books = (count: number) => `{ nodes(ids: [${`"${SECOND}" `.repeat(count)}]) { ... on Project { book } } }`;
    expect(await ask(books(2))).toMatchObject({ data: { nodes: { length: 2 } } });
    expect(await ask(books(3))).toMatchObject({
      errors: [{ message: expect.stringMatching(/^The response has more than 134,217,728 bytes of text\. Ask for/) }],
    });
    expect(faults).toEqual([]);
  });

  it('takes room for its texts as it is made, and is given up where there is none', async () => {
    const taken: number[] = [];
    const room = {
      grow: (bytes: number) => {
        taken.push(bytes);
        return taken.length < 3;
      },
    };
    const names = (count: number) => `{ nodes(ids: [${`"${SECOND}" `.repeat(count)}]) { ... on Project { name } } }`;
    expect(await ask(names(2), { room })).toMatchObject({ data: { nodes: { length: 2 } } });
    expect(await ask(names(9), { room })).toEqual({
      errors: [{ message: expect.stringContaining('Try again later'), extensions: { code: 'unavailable' } }],
    });
    expect(taken.slice(0, 2)).toEqual(['row 2'.length, 'row 2'.length]);
    expect(faults).toEqual([]);
  });

  it('takes six bytes of room for a control character, as JSON does', async () => {
    const taken: number[] = [];
    const room = { grow: (bytes: number) => taken.push(bytes) > 0 };
    await ask('query($text: String!) { echo(text: $text) }', { room, variables: { text: 'é\u0001\u0002' } });
    expect(taken).toEqual([2 + 6 + 6]);
    expect(faults).toEqual([]);
  });

  it('that is a subscription takes no longer for an event than an operation may, and goes on with the next', async () => {
    schema = exampleSchema({
      reads,
      gate: new Promise(() => undefined),
      events: async function* () {
        yield 1;
        yield 2;
      },
    });
    const query = 'subscription($isSlow: Boolean!) { events { id slow @include(if: $isSlow) } }';
    const codes: unknown[] = [];
    for await (const { errors } of (await ask(query, {
      variables: { isSlow: true },
      maxMs: 20,
    })) as AsyncIterable<OperationResult>) {
      codes.push(errors?.map(({ extensions }) => extensions?.['code']));
    }
    expect(codes).toEqual([['deadline_exceeded'], ['deadline_exceeded']]);
    expect(faults).toEqual([]);
  });

  it('that is a subscription ends the event that it answers when its caller goes', async () => {
    schema = exampleSchema({
      reads,
      gate: new Promise(() => undefined),
      events: async function* () {
        yield 1;
      },
    });
    const gone = new AbortController();
    const events = (await ask('subscription { events { slow } }', { signal: gone.signal })) as AsyncIterator<unknown>;
    const event = events.next();
    await expect.poll(() => reads).toEqual([[1]]);
    gone.abort(new AppError('unavailable', 'gone'));
    expect(await event).toMatchObject({ done: false, value: { errors: [{ message: 'gone' }] } });
    expect(faults).toEqual([]);
  });

  it('that is a subscription may answer less, and as much with each event', async () => {
    schema = exampleSchema({
      reads,
      events: async function* () {
        for (let event = 0; event < 20; event++) yield 2;
      },
    });
    const results = async (selection: string) => {
      const events = (await ask(`subscription { events { ${selection} } }`)) as AsyncIterable<OperationResult>;
      const messages: (string | undefined)[] = [];
      for await (const { errors } of events) messages.push(errors?.[0]?.message);
      return messages;
    };
    expect(await results('friends { id }')).toEqual(Array.from({ length: 20 }));
    expect((await results('friends { friends { id } }'))[0]).toContain('more than 5,000 values');
    expect((await results('a: sum b: sum c: sum d: sum e: sum'))[0]).toContain('more than 5,000 values');
  });

  it('that is a subscription lets go of what it watches when its caller has gone, before or after it stands', async () => {
    let ended = 0;
    const gate = Promise.withResolvers<undefined>();
    const watch: AsyncIterableIterator<number> = {
      next: () => new Promise(() => undefined),
      return: async () => ({ done: true, value: ended++ }),
      [Symbol.asyncIterator]: () => watch,
    };
    schema = exampleSchema({ reads, gate: gate.promise, events: () => watch });
    const gone = new AbortController();
    const standing = ask('subscription { events { id } }', { signal: gone.signal });
    const late = ask('subscription { lateEvents { id } }', { signal: gone.signal });
    await standing;
    gone.abort();
    await expect.poll(() => ended).toBe(1);
    gate.resolve(undefined);
    await late;
    await expect.poll(() => ended).toBe(2);
    await ask('subscription { events { id } }', { signal: AbortSignal.abort() });
    await expect.poll(() => ended).toBe(3);
  });

  it('that is a subscription lets go of what it watches when it took too long to stand', async () => {
    let isEnded = false;
    const gate = Promise.withResolvers<undefined>();
    const watch: AsyncIterableIterator<number> = {
      next: () => new Promise(() => undefined),
      return: async () => ({ done: true, value: (isEnded = true) }),
      [Symbol.asyncIterator]: () => watch,
    };
    schema = exampleSchema({ reads, gate: gate.promise, events: () => watch });
    const { errors } = (await ask('subscription { lateEvents { id } }', { maxMs: 10 })) as OperationResult;
    expect(errors?.[0]?.extensions).toEqual({ code: 'deadline_exceeded' });
    gate.resolve(undefined);
    await expect.poll(() => isEnded).toBe(true);
  });

  it('whose caller has gone is no fault', async () => {
    schema = exampleSchema({ reads, gate: new Promise(() => undefined) });
    const gone = new AbortController();
    const answer = ask('{ wait }', { signal: gone.signal });
    gone.abort(new AppError('unavailable', 'gone'));
    expect(await answer).toEqual({ errors: [{ message: 'gone', extensions: { code: 'unavailable' } }] });
    expect(faults).toEqual([]);
  });

  it('is read once however often it is sent, and counted each time by what it answers', async () => {
    const operations = new Operations(schema);
    const caller = { caller: userCaller('admin'), signal: new AbortController().signal, onFault: () => {} };
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on Project { friends { name } } } }';
    const send = (count: number) =>
      operations.run({ query, variables: { ids: Array(count).fill(SECOND) }, operationName: null }, caller);
    expect(await send(2)).toMatchObject({ data: { nodes: [{}, {}] } });
    expect(await send(1000)).toEqual({ errors: [TOO_MANY] });
  });
});
