/** Review queues over GraphQL on a whole server: without authentication, reviewers are browsers that name themselves. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseGlobalId } from '#base/global-id';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const ADA = 'browser-of-ada';
const GRACE = 'browser-of-grace';

let server: TestServer;
let configId: string;
let projectId: string;
let queueCount = 0;
let queueId: string;

interface Item {
  readonly id: string;
  readonly state: string;
  readonly target: { readonly traceId: string } | null;
}

interface Held {
  readonly queue: { readonly progress: Readonly<Record<string, number>> };
  readonly item: Item | null;
}

const ask = <Data>(query: string, variables: Record<string, unknown> = {}) =>
  queryGraphql<Data>(server.url, query, variables);

beforeAll(async () => {
  server = await startTestServer();
  const spans = Array.from({ length: 4 }, (_, place) => ({
    traceId: traceId(place + 1),
    spanId: spanId(place + 1),
    attributes: { 'session.id': 'chat' },
  }));
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': 'shop' });
  const { createAnnotationConfig: created } = await ask<{
    createAnnotationConfig: { annotationConfig: { id: string } };
  }>(`mutation { createAnnotationConfig(input: { annotationConfig: { freeform: { name: "tone" } } }) {
    annotationConfig { ... on FreeformAnnotationConfig { id } } } }`);
  configId = created.annotationConfig.id;
  const { getProjectByName } = await ask<{ getProjectByName: { id: string } }>(
    '{ getProjectByName(name: "shop") { id } }',
  );
  projectId = getProjectByName.id;
});

afterAll(() => server[Symbol.asyncDispose]());

/** A queue of all traces. */
beforeEach(async () => {
  queueId = await newQueue({ name: `Tone ${++queueCount}` });
  await fill('trace', 'traces');
});

async function newQueue(input: object): Promise<string> {
  const { createAnnotationQueue } = await ask<{ createAnnotationQueue: { id: string } }>(
    'mutation ($input: CreateAnnotationQueueInput!) { createAnnotationQueue(input: $input) { id } }',
    { input: { rows: 'TRACES', annotationConfigIds: [configId], ...input } },
  );
  return createAnnotationQueue.id;
}

async function fill(target: string, table: string): Promise<void> {
  const rowId = parseGlobalId('AnnotationQueue', queueId);
  await server.data.change(`INSERT INTO annotation_queue_items (queue_id, target, target_row_id, added_at_us)
    SELECT ${rowId}, '${target}', id, 1767225600000000 FROM ${table} ORDER BY id`);
}

const HELD = `queue { progress { itemCount doneCount heldCount waitingForMeCount(holder: $holder) } }
  item { id state target { ... on Trace { traceId } } }`;

async function hold(holder: string, itemId: string | null = null): Promise<Held> {
  const { holdAnnotationQueueItem } = await ask<{ holdAnnotationQueueItem: Held }>(
    `mutation ($queueId: ID!, $itemId: ID, $holder: String) {
      holdAnnotationQueueItem(queueId: $queueId, itemId: $itemId, holder: $holder) { ${HELD} } }`,
    { queueId, itemId, holder },
  );
  return holdAnnotationQueueItem;
}

async function review(holder: string, itemId: string | undefined, outcome = 'COMPLETED'): Promise<Held> {
  const { reviewAnnotationQueueItem } = await ask<{ reviewAnnotationQueueItem: Held }>(
    `mutation ($itemId: ID!, $outcome: AnnotationQueueOutcome!, $holder: String) {
      reviewAnnotationQueueItem(itemId: $itemId, outcome: $outcome, holder: $holder) { ${HELD} } }`,
    { itemId, outcome, holder },
  );
  return reviewAnnotationQueueItem;
}

it('a queue is created, changed, found by its id and in the list, and deleted', async () => {
  const input = { id: queueId, name: 'Renamed', instructions: 'Be **fair**.', isBlind: true, annotationConfigIds: [] };
  const fields =
    'id name description instructions rows reviewsPerItem isBlind holdMinutes annotationConfigs { __typename } createdBy { id }';
  const patched = await ask<{ patchAnnotationQueue: object }>(
    `mutation ($input: PatchAnnotationQueueInput!) { patchAnnotationQueue(input: $input) { ${fields} } }`,
    { input },
  );
  const expected = {
    id: queueId,
    name: 'Renamed',
    description: null,
    instructions: 'Be **fair**.',
    rows: 'TRACES',
    reviewsPerItem: 1,
    isBlind: true,
    holdMinutes: 15,
    annotationConfigs: [],
    createdBy: null,
  };
  expect(patched.patchAnnotationQueue).toEqual(expected);
  const read = await ask<{ node: object; annotationQueues: { edges: { node: { name: string } }[] } }>(
    `query ($id: ID!) { node(id: $id) { ... on AnnotationQueue { ${fields} } } annotationQueues { edges { node { name } } } }`,
    { id: queueId },
  );
  expect(read.node).toEqual(expected);
  const names = read.annotationQueues.edges.map(({ node }) => node.name);
  expect(names).toContain('Renamed');
  expect(names).toEqual(names.toSorted());
  const { deleteAnnotationQueue } = await ask<{ deleteAnnotationQueue: string }>(
    'mutation ($id: ID!) { deleteAnnotationQueue(id: $id) }',
    { id: queueId },
  );
  expect(deleteAnnotationQueue).toBe(queueId);
  const { errors } = await askGraphql(server.url, 'query ($id: ID!) { node(id: $id) { id } }', { id: queueId });
  expect(errors?.[0]?.extensions?.code).toBe('not_found');
});

it('two browsers review all items, none of them twice', async () => {
  const seen: string[] = [];
  const holders = [ADA, GRACE];
  const held = await Promise.all(holders.map((holder) => hold(holder)));
  expect(held[0]?.item?.id).not.toBe(held[1]?.item?.id);
  expect(held[1]?.queue.progress).toMatchObject({ itemCount: 4, doneCount: 0 });
  const current = held.map(({ item }) => item);
  for (let turn = 0; current.some((item) => item !== null); turn++) {
    const who = turn % 2;
    const item = current[who];
    if (item == null) continue;
    seen.push(item.target?.traceId ?? '');
    current[who] = (await review(holders[who] ?? '', item.id)).item;
  }
  expect(seen.toSorted()).toEqual([1, 2, 3, 4].map(traceId));
  const { node } = await ask<{ node: object }>(
    `query ($id: ID!) { node(id: $id) { ... on AnnotationQueue {
      progress { itemCount doneCount heldCount waitingForMeCount }
      reviewers { user { id } completedCount skippedCount }
      items(first: 1, state: DONE) { edges { node { state completedCount heldBy { id } heldUntil reviews { user { id } outcome } } } pageInfo { hasNextPage } } } } }`,
    { id: queueId },
  );
  expect(node).toEqual({
    progress: { itemCount: 4, doneCount: 4, heldCount: 0, waitingForMeCount: 0 },
    reviewers: [
      { user: null, completedCount: 2, skippedCount: 0 },
      { user: null, completedCount: 2, skippedCount: 0 },
    ],
    items: {
      edges: [
        {
          node: {
            state: 'DONE',
            completedCount: 1,
            heldBy: null,
            heldUntil: null,
            reviews: [{ user: null, outcome: 'COMPLETED' }],
          },
        },
      ],
      pageInfo: { hasNextPage: true },
    },
  });
});

it('an item says who holds it and what the caller did with it', async () => {
  const { item, queue } = await hold(ADA);
  expect(queue.progress).toEqual({ itemCount: 4, doneCount: 0, heldCount: 1, waitingForMeCount: 4 });
  const itemOf = async (holder: string | null) => {
    const { node } = await ask<{ node: object }>(
      `query ($id: ID!, $holder: String) { node(id: $id) { ... on AnnotationQueueItem {
        state isHeldByMe(holder: $holder) myOutcome(holder: $holder) queue { id } } } }`,
      { id: item?.id, holder },
    );
    return node;
  };
  const queueOfItem = { queue: { id: queueId } };
  expect(await itemOf(ADA)).toEqual({ ...queueOfItem, state: 'HELD', isHeldByMe: true, myOutcome: null });
  expect(await itemOf(GRACE)).toMatchObject({ state: 'HELD', isHeldByMe: false });
  expect(await itemOf(null)).toMatchObject({ isHeldByMe: false });
  const next = await review(ADA, item?.id, 'SKIPPED');
  expect(next.queue.progress).toMatchObject({ doneCount: 0, heldCount: 1, waitingForMeCount: 3 });
  expect(await itemOf(ADA)).toMatchObject({ state: 'WAITING', isHeldByMe: false, myOutcome: 'SKIPPED' });
  expect(await itemOf(GRACE)).toMatchObject({ myOutcome: null });
});

it('what cannot be done is refused with a reason', async () => {
  const { item } = await hold(ADA);
  const refusal = async (query: string, variables: Record<string, unknown> = {}) => {
    const { errors } = await askGraphql(server.url, query, variables);
    return [errors?.[0]?.extensions?.code, errors?.[0]?.message];
  };
  const holdIt =
    'mutation ($queueId: ID!, $itemId: ID, $holder: String) { holdAnnotationQueueItem(queueId: $queueId, itemId: $itemId, holder: $holder) { item { id } } }';
  expect(await refusal(holdIt, { queueId, itemId: item?.id, holder: GRACE })).toEqual([
    'failed_precondition',
    expect.stringMatching(/^Another reviewer holds this item until /),
  ]);
  expect(await refusal(holdIt, { queueId })).toEqual(['failed_precondition', expect.stringMatching(/name yourself/)]);
  expect(await refusal(holdIt, { queueId, holder: 'no good!!' })).toEqual(['invalid_argument', expect.any(String)]);
  expect(await refusal(holdIt, { queueId: projectId, holder: ADA })).toEqual(['invalid_argument', expect.any(String)]);
  const add = 'mutation ($input: AddAnnotationQueueRuleInput!) { addAnnotationQueueRule(input: $input) { id } }';
  const rule = { queueId, projectId, samplePercent: 10 };
  expect(await refusal(add, { input: { ...rule, filterCondition: 'nonsense ==' } })).toEqual([
    'invalid_argument',
    expect.stringMatching(/^Invalid filter/),
  ]);
  expect(await refusal(add, { input: { ...rule, samplePercent: 101 } })).toEqual([
    'invalid_argument',
    expect.any(String),
  ]);
});

it('rules are added and deleted, and items removed', async () => {
  const RULES = 'rules { id project { id } filterCondition samplePercent addedCount error }';
  const { addAnnotationQueueRule } = await ask<{ addAnnotationQueueRule: { rules: { id: string }[] } }>(
    `mutation ($input: AddAnnotationQueueRuleInput!) { addAnnotationQueueRule(input: $input) { ${RULES} } }`,
    { input: { queueId, projectId, filterCondition: 'error_count > 0', samplePercent: 12.5 } },
  );
  const [rule] = addAnnotationQueueRule.rules;
  expect(rule).toMatchObject({
    project: { id: projectId },
    filterCondition: 'error_count > 0',
    samplePercent: 12.5,
    addedCount: 0,
    error: null,
  });
  const { deleteAnnotationQueueRule } = await ask<{ deleteAnnotationQueueRule: object }>(
    `mutation ($id: ID!) { deleteAnnotationQueueRule(id: $id) { ${RULES} } }`,
    { id: rule?.id },
  );
  expect(deleteAnnotationQueueRule).toEqual({ rules: [] });
  const { item } = await hold(ADA);
  const { removeAnnotationQueueItems } = await ask<{ removeAnnotationQueueItems: object }>(
    'mutation ($queueId: ID!, $itemIds: [ID!]!) { removeAnnotationQueueItems(queueId: $queueId, itemIds: $itemIds) { progress { itemCount } } }',
    { queueId, itemIds: [item?.id] },
  );
  expect(removeAnnotationQueueItems).toEqual({ progress: { itemCount: 3 } });
});

it('items are spans and sessions, too, and lists go on after their cursor', async () => {
  const targets = { SPANS: ['span', 'spans', 'Span'], SESSIONS: ['session', 'sessions', 'ProjectSession'] } as const;
  for (const [rows, [target, table, type]] of Object.entries(targets)) {
    queueId = await newQueue({ name: rows, rows });
    await fill(target, table);
    const query = `query ($id: ID!, $after: String) { node(id: $id) { ... on AnnotationQueue {
      items(first: 3, after: $after) { edges { node { id target { __typename } } } pageInfo { endCursor hasNextPage } } } } }`;
    interface Page {
      readonly node: {
        readonly items: {
          readonly edges: readonly { readonly node: { readonly id: string; readonly target: object } }[];
          readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
        };
      };
    }
    const pages: Page['node']['items'][] = [];
    for (let after: string | null = null; pages.at(-1)?.pageInfo.hasNextPage !== false; ) {
      const { node }: Page = await ask<Page>(query, { id: queueId, after });
      pages.push(node.items);
      after = node.items.pageInfo.endCursor;
    }
    const nodes = pages.flatMap(({ edges }) => edges.map(({ node }) => node));
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(rows === 'SPANS' ? 4 : 1);
    expect(nodes.every(({ target: { __typename } }: { target: { __typename?: string } }) => __typename === type)).toBe(
      true,
    );
  }
});
