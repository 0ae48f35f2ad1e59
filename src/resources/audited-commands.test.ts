/** Every command of every resource leaves a row of who did what, exactly one for each thing, and nothing secret in it. */
import { beforeAll, expect, it } from 'vitest';
import { ANONYMOUS, type Caller, NOBODY, systemCaller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { RunCommand } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { openTestWriter, spansOf } from '#store/logs/write/open-writer.fixture';
import type { StoredRow, TestEngine } from '#store/engine/test-engine.fixture';
import { spanId } from '../../test/harness/otlp-json.ts';
import {
  annotated,
  APPLICATION,
  ARRIVAL,
  assignmentOf,
  authorization,
  CANARY,
  CONFIG,
  GIVEN,
  KEY,
  LOGIN,
  MATCHING,
  password,
  person,
  POLICY,
  PRICE,
  QUEUE,
  sealed,
  shownCode,
  times,
  tokens,
  VIEW,
} from './audited-inputs.fixture.ts';
import { SLICES } from './slices.ts';

const ADMIN = userCaller('admin', 2);
const SERVER = systemCaller('test');

const REFUSAL = { caller: NOBODY, operation: 'spans.list', object: null, occurredAtUs: 1, count: 2 };

/** What was made, by name. */
type Made = Readonly<Record<string, number>>;

interface Step {
  readonly operation: string;
  readonly caller?: Caller;
  readonly input: (made: Made) => unknown;
  /** Keeps the row id of what it gave. */
  readonly as?: string;
  /** Types and names of what the rows are about, one for each row. */
  readonly rows: readonly (string | null)[];
}

/** Each command once, in an order in which each has something to do. */
const STEPS: readonly Step[] = [
  {
    operation: 'users.prepare',
    caller: SERVER,
    input: () => ({ unusable: password('none'), initialPassword: password('first'), admins: [], tellsPlanted: false }),
    rows: ['User admin'],
  },
  { operation: 'users.create', input: () => person('ada'), as: 'ada', rows: ['User ada'] },
  { operation: 'users.create', input: () => person('grace'), as: 'grace', rows: ['User grace'] },
  {
    operation: 'users.patch',
    input: ({ ada }) => ({ rowId: ada, role: 'VIEWER', password: password('other') }),
    rows: ['User ada'],
  },
  { operation: 'users.patchViewer', input: () => ({ username: 'root' }), rows: ['User admin'] },
  {
    operation: 'users.resetPassword',
    caller: SERVER,
    input: () => ({ email: 'ada@example.com', password: password('third') }),
    rows: ['User ada'],
  },
  {
    operation: 'passwordReset.request',
    caller: SERVER,
    input: () => ({ email: 'ada@example.com', hash: `${CANARY} reset`, goodForUs: 1e9 }),
    rows: ['User ada'],
  },
  {
    operation: 'passwordReset.choose',
    caller: NOBODY,
    input: () => ({ hash: `${CANARY} reset`, password: password('fourth') }),
    rows: ['User ada'],
  },
  {
    operation: 'signIn.login',
    input: ({ grace }) => ({ ...LOGIN, userRowId: grace, verified: password('grace') }),
    rows: ['User grace'],
  },
  {
    operation: 'signIn.syncFromDirectory',
    caller: SERVER,
    input: () => ({
      person: { email: 'kay@example.com', uniqueId: `${CANARY} id`, displayName: 'kay', role: 'MEMBER' },
      name: CANARY,
      allowsSignUp: true,
    }),
    as: 'kay',
    rows: ['User kay'],
  },
  {
    operation: 'signIn.loginByDirectory',
    input: ({ kay }) => ({ userRowId: kay, tokens: tokens('of the directory'), times, subject: CANARY }),
    rows: ['User kay'],
  },
  {
    operation: 'signIn.barByDirectory',
    caller: SERVER,
    input: () => ({ email: null, uniqueId: `${CANARY} id` }),
    rows: ['User kay'],
  },
  {
    operation: 'signIn.refresh',
    caller: SERVER,
    input: ({ grace }) => ({ userRowId: grace, spentHash: tokens('1').refreshHash, tokens: tokens('2'), times }),
    rows: [],
  },
  {
    operation: 'oauth2.register',
    caller: SERVER,
    input: () => ({ ...APPLICATION, from: '192.0.2.1' }),
    rows: [],
  },
  { operation: 'oauth2.deny', input: () => APPLICATION, rows: ['OAuth2Client Agent'] },
  {
    operation: 'oauth2.approve',
    input: () => authorization('1'),
    rows: ['OAuth2Client Agent'],
  },
  { operation: 'oauth2.exchange', caller: SERVER, input: () => shownCode('1'), rows: [] },
  {
    operation: 'oauth2.refresh',
    caller: SERVER,
    input: () => ({ ...GIVEN, refreshHash: tokens('grant 1').refreshHash, tokens: tokens('grant 1b') }),
    rows: [],
  },
  {
    operation: 'oauth2.endReplayed',
    caller: SERVER,
    input: () => ({ refreshHash: tokens('grant 1').refreshHash }),
    rows: ['OAuth2Grant Agent'],
  },
  { operation: 'oauth2.approve', input: () => authorization('2'), rows: ['OAuth2Client Agent'] },
  { operation: 'oauth2.exchange', caller: SERVER, input: () => shownCode('2'), rows: [] },
  {
    operation: 'oauth2.revokeToken',
    caller: SERVER,
    input: () => ({ hash: tokens('grant 2').accessHash, clientId: null }),
    rows: ['OAuth2Grant Agent'],
  },
  { operation: 'oauth2.approve', input: () => authorization('3'), rows: ['OAuth2Client Agent'] },
  { operation: 'oauth2.exchange', caller: SERVER, input: () => shownCode('3'), rows: [] },
  // A grant is a sign-in: the fifth one, after those of Grace and of the directory and the grants before.
  { operation: 'oauth2.revoke', input: () => 5, rows: ['OAuth2Grant Agent'] },
  {
    operation: 'providerSignIn.spendState',
    caller: SERVER,
    input: () => ({ hash: CANARY, expiresAtUs: 9e15 }),
    rows: [],
  },
  { operation: 'providerSignIn.admit', caller: SERVER, input: () => ARRIVAL, as: 'kay', rows: ['User Kay'] },
  {
    operation: 'providerSignIn.signIn',
    input: ({ kay }) => ({ userRowId: kay, identity: ARRIVAL.identity, tokens: tokens('3'), times }),
    rows: ['User Kay'],
  },
  { operation: 'providerSignIn.bar', caller: SERVER, input: () => ARRIVAL.identity, rows: ['User Kay'] },
  {
    operation: 'signIn.endReused',
    caller: SERVER,
    input: () => ({ spentHash: tokens('1').refreshHash }),
    rows: ['User grace'],
  },
  { operation: 'signIn.logout', input: ({ grace }) => ({ userRowId: grace }), rows: ['User grace'] },
  {
    operation: 'signIn.countAttempt',
    caller: SERVER,
    input: () => ({ subject: `${CANARY}@example.com`, maximum: 5 }),
    rows: [],
  },
  {
    operation: 'signIn.takeBackAttempt',
    caller: SERVER,
    input: () => ({ subject: `${CANARY}@example.com` }),
    rows: [],
  },
  {
    operation: 'signIn.lock',
    caller: SERVER,
    input: ({ grace }) => ({ userRowId: grace, subject: CANARY }),
    rows: ['User grace'],
  },
  { operation: 'signIn.lock', caller: SERVER, input: () => ({ userRowId: null, subject: CANARY }), rows: [] },
  { operation: 'signIn.unlock', input: ({ grace }) => ({ userRowId: grace }), rows: ['User grace'] },
  { operation: 'signIn.tidy', caller: SERVER, input: () => ({ limit: 10 }), rows: [] },
  { operation: 'apiKeys.createOwn', input: () => ({ ...KEY, name: 'mine' }), as: 'mine', rows: ['UserApiKey mine'] },
  {
    operation: 'apiKeys.createSystem',
    input: () => ({ ...KEY, name: 'ci', hash: `${CANARY} ci` }),
    as: 'ci',
    rows: ['SystemApiKey ci'],
  },
  { operation: 'apiKeys.noteUse', caller: SERVER, input: ({ ci }) => [{ rowId: ci, atUs: 60_000_000 }], rows: [] },
  { operation: 'apiKeys.deletePersonal', input: ({ mine }) => mine, rows: ['UserApiKey mine'] },
  { operation: 'apiKeys.deleteSystem', input: ({ ci }) => ci, rows: ['SystemApiKey ci'] },
  {
    operation: 'projects.create',
    input: () => ({ name: 'shop', description: CANARY }),
    as: 'shop',
    rows: ['Project shop'],
  },
  {
    operation: 'projects.patch',
    input: ({ shop }) => ({ rowId: shop, description: `${CANARY} 2` }),
    rows: ['Project shop'],
  },
  {
    operation: 'retention.create',
    input: () => POLICY,
    as: 'policy',
    rows: ['ProjectTraceRetentionPolicy short'],
  },
  {
    operation: 'retention.patch',
    input: ({ policy, shop }) => ({ rowId: policy, cron: '0 4 * * *', added: [shop], removed: [] }),
    rows: ['ProjectTraceRetentionPolicy short'],
  },
  {
    operation: 'retention.assign',
    input: ({ policy, shop }) => ({ rowId: policy, projectRowIds: [shop] }),
    rows: ['Project shop'],
  },
  { operation: 'retention.noteApplied', caller: SERVER, input: ({ policy }) => ({ rowId: policy, atUs: 1 }), rows: [] },
  { operation: 'retention.seedDefault', caller: SERVER, input: () => 7, rows: [] },
  { operation: 'retention.delete', input: ({ policy }) => policy, rows: ['ProjectTraceRetentionPolicy short'] },
  {
    operation: 'bulk.delete',
    input: ({ shop }) => ({ projectRowId: shop, rows: 'trace', chosen: { matching: MATCHING } }),
    as: 'bulk',
    rows: ['BulkAction delete'],
  },
  {
    operation: 'bulk.move',
    input: ({ shop }) => ({ projectRowId: shop, rows: 'span', chosen: { rowIds: [1] }, toProjectRowId: 1 }),
    rows: ['BulkAction move'],
  },
  {
    operation: 'bulk.annotate',
    input: ({ shop }) => ({
      projectRowId: shop,
      rows: 'span',
      chosen: { rowIds: [1] },
      said: { name: 'tone', label: CANARY, score: null, explanation: CANARY, metadata: `{"a":"${CANARY}"}` },
    }),
    rows: ['BulkAction annotate'],
  },
  { operation: 'bulk.cancel', input: ({ bulk }) => ({ rowId: bulk }), rows: ['BulkAction delete'] },
  {
    operation: 'savedViews.create',
    input: ({ shop }) => ({ ...VIEW, projectRowId: shop, name: 'slow', isShared: true }),
    as: 'view',
    rows: ['SavedView slow'],
  },
  { operation: 'savedViews.patch', input: ({ view }) => ({ ...VIEW, rowId: view }), rows: ['SavedView slow'] },
  {
    operation: 'savedViews.setOwnDefault',
    input: ({ shop, view }) => ({ ...VIEW, projectRowId: shop, viewRowId: view }),
    rows: ['SavedView slow'],
  },
  {
    operation: 'savedViews.setSharedDefault',
    input: ({ shop, view }) => ({ ...VIEW, projectRowId: shop, viewRowId: view }),
    rows: ['SavedView slow'],
  },
  { operation: 'savedViews.delete', input: ({ view }) => view, rows: ['SavedView slow'] },
  { operation: 'models.create', input: () => PRICE, as: 'price', rows: ['GenerativeModel gpt'] },
  { operation: 'models.update', input: ({ price }) => ({ ...PRICE, rowId: price }), rows: ['GenerativeModel gpt'] },
  { operation: 'models.delete', input: ({ price }) => price, rows: ['GenerativeModel gpt'] },
  { operation: 'secrets.upsertOrDelete', input: () => [{ name: 'KEY', sealed: sealed('1') }], rows: ['Secret KEY'] },
  { operation: 'secrets.use', caller: userCaller('viewer', 2), input: () => 'KEY', rows: ['Secret KEY'] },
  {
    operation: 'secrets.rotate',
    caller: SERVER,
    input: () => [{ name: 'KEY', before: sealed('1'), after: sealed('2') }],
    rows: ['Secret KEY'],
  },
  {
    operation: 'annotationConfigs.create',
    input: () => CONFIG,
    as: 'config',
    rows: ['CategoricalAnnotationConfig correctness'],
  },
  {
    operation: 'annotationConfigs.update',
    input: ({ config }) => ({ rowId: config, content: { ...CONFIG, isStrict: true } }),
    rows: ['CategoricalAnnotationConfig correctness'],
  },
  {
    operation: 'annotationConfigs.assign',
    input: ({ shop, config }) => assignmentOf(shop, config),
    rows: ['Project shop'],
  },
  {
    operation: 'annotationConfigs.unassign',
    input: ({ shop, config }) => assignmentOf(shop, config),
    rows: ['Project shop'],
  },
  {
    operation: 'annotationConfigs.replaceOfProject',
    input: ({ shop, config }) => ({ projectRowId: shop, configRowIds: [config] }),
    rows: ['Project shop'],
  },
  {
    operation: 'annotationConfigs.delete',
    input: ({ config }) => [config],
    rows: ['CategoricalAnnotationConfig correctness'],
  },
  {
    operation: 'annotationQueues.create',
    input: () => QUEUE,
    as: 'queue',
    rows: ['AnnotationQueue tone'],
  },
  {
    operation: 'annotationQueues.patch',
    input: ({ queue }) => ({ rowId: queue, content: { description: CANARY, isBlind: true } }),
    rows: ['AnnotationQueue tone'],
  },
  {
    operation: 'annotationQueues.addRule',
    input: ({ queue }) => ({ queueRowId: queue, projectRowId: 1, filter: `name == '${CANARY}'`, samplePercent: 5 }),
    rows: ['AnnotationQueue tone'],
  },
  {
    operation: 'annotationQueues.applyRule',
    caller: SERVER,
    input: () => ({ ruleRowId: 1, afterRowId: 2, upToRowId: 2, rowIds: [1], error: null }),
    rows: [],
  },
  { operation: 'annotationQueues.deleteRule', input: () => ({ rowId: 1 }), rows: ['AnnotationQueue tone'] },
  {
    operation: 'annotationQueues.hold',
    input: ({ queue }) => ({ queueRowId: queue, itemRowId: null, holder: null }),
    rows: [],
  },
  {
    operation: 'annotationQueues.review',
    input: () => ({ itemRowId: 1, outcome: 'completed', holder: null }),
    rows: [],
  },
  { operation: 'annotationQueues.release', input: () => ({ itemRowId: 1, holder: null }), rows: [] },
  {
    operation: 'bulk.queue',
    input: ({ queue }) => ({ projectRowId: 1, rows: 'span', chosen: { rowIds: [1] }, queueRowId: queue, sample: null }),
    rows: ['BulkAction queue'],
  },
  {
    operation: 'annotationQueues.removeItems',
    input: ({ queue }) => ({ queueRowId: queue, itemRowIds: [1] }),
    rows: ['AnnotationQueue tone'],
  },
  { operation: 'annotationQueues.clear', input: ({ queue }) => queue, rows: [] },
  { operation: 'annotationQueues.delete', input: ({ queue }) => queue, rows: ['AnnotationQueue tone'] },
  {
    operation: 'annotations.store',
    input: () => annotated('store'),
    rows: ['SpanAnnotation quality'],
  },
  { operation: 'annotations.storeFound', input: () => annotated('storeFound'), rows: ['Project null'] },
  { operation: 'annotations.storeLater', input: () => annotated('storeLater'), rows: ['Project null'] },
  { operation: 'annotations.settleWaiting', caller: SERVER, input: () => [], rows: [] },
  {
    operation: 'annotations.patch',
    caller: ANONYMOUS,
    input: () => ({ target: 'span', changes: [{ rowId: 1, label: CANARY }] }),
    rows: ['SpanAnnotation quality'],
  },
  {
    operation: 'annotations.delete',
    input: () => ({ target: 'span', rowIds: [1] }),
    rows: ['SpanAnnotation quality'],
  },
  {
    operation: 'annotations.deleteMatching',
    input: () => ({ target: 'span', projectRowId: 1 }),
    rows: ['Project null'],
  },
  {
    operation: 'annotations.store',
    input: () => annotated('store'),
    rows: ['SpanAnnotation quality'],
  },
  {
    operation: 'annotations.deleteByName',
    input: () => ({ target: 'span', projectRowId: 1, name: 'quality', timeOf: 'annotation' }),
    rows: ['Project null'],
  },
  { operation: 'audit.export', input: () => 'csv', rows: [null] },
  { operation: 'audit.recordRefusals', caller: SERVER, input: () => [REFUSAL, REFUSAL], rows: [null, null] },
  { operation: 'users.delete', input: ({ ada }) => ada, rows: ['User ada'] },
  { operation: 'users.remove', input: ({ grace }) => [grace], rows: ['User grace'] },
  { operation: 'audit.prune', caller: SERVER, input: () => ({ beforeUs: 2, limit: 10 }), rows: [] },
];

let engine: TestEngine;
let run: RunCommand;
let registered: readonly string[];

beforeAll(async () => {
  engine = await openTestEngine();
  const lists = await Promise.all(SLICES.map((slice) => slice.commands()));
  registered = lists.flatMap((list) => Object.values(list).map(({ permission }) => permission.operation));
  run = runCommandsOn(engine, lists);
  const { writer } = await openTestWriter({ engine });
  await writer.write([spansOf([{ spanId: spanId(1) }])]);
});

it('each has its place here', () => {
  expect([...new Set(STEPS.map(({ operation }) => operation))].toSorted()).toEqual(registered.toSorted());
});

it('each leaves the rows that it should, and nothing secret in them', async () => {
  const made: Record<string, number> = {};
  let lastId = 0;
  for (const { operation, caller = ADMIN, input, as, rows } of STEPS) {
    const result = await run(operation, caller, input(made));
    if (as !== undefined) made[as] = (result as { readonly rowId: number }).rowId;
    const left = await engine.rows(`SELECT * FROM audit_events WHERE id > ${lastId} ORDER BY id`);
    lastId = Number(left.at(-1)?.['id'] ?? lastId);
    expect({ operation, rows: left.map(objectIn) }).toEqual({ operation, rows });
    expect(JSON.stringify(left)).not.toContain(CANARY);
    expect(JSON.stringify(left)).not.toContain(password('').salt);
    for (const row of left.filter(() => operation !== 'audit.recordRefusals')) {
      expect(row).toMatchObject({ operation, outcome: 'done', caller_kind: caller.kind });
    }
  }
  // Accounts and keys that are gone are told of still.
  const names = await engine.rows(`SELECT DISTINCT object_name FROM audit_events WHERE object_type LIKE '%ApiKey'`);
  expect(new Set(names.map((row) => row['object_name']))).toEqual(new Set(['ci', 'mine']));
  expect(await engine.rows(`SELECT id FROM users WHERE username IN ('ada', 'grace')`)).toEqual([]);
});

it('while authentication is off, each says so', async () => {
  await run('projects.create', { ...ANONYMOUS, address: '192.0.2.1' }, { name: 'open' });
  const [row] = await engine.rows('SELECT * FROM audit_events ORDER BY id DESC LIMIT 1');
  expect(row).toMatchObject({ caller_kind: 'anonymous', caller_name: null, address: '192.0.2.1', object_name: 'open' });
});

function objectIn(row: StoredRow): string | null {
  const { object_type: type, object_name: name } = row as Record<'object_type' | 'object_name', string | null>;
  return type === null ? null : `${type} ${name}`;
}
