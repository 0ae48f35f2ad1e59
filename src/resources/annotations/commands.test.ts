import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AnnotationPlace, type AnnotationTarget, appIdentifierOf, type NewAnnotation } from '#domain/annotation';
import { ANONYMOUS, systemCaller } from '#domain/caller';
import { systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { annotationHooks } from '#store/annotations/write/hooks';
import { findSettleable, WAITING_US } from '#store/annotations/write/waiting';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { RandomStore } from '#store/random-store.fixture';
import { countStatements } from '#store/sets/count-statements.fixture';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type AnnotationCommands, annotationCommands } from './commands.ts';
import { annotationPolicy } from './policy.ts';
import { findAnnotations, findAnnotationsOf } from './queries.ts';

const TRACE = traceId(1);
const SPAN = spanId(1);
const SERVER = systemCaller('test');
const TARGETS: readonly (readonly [AnnotationTarget, string])[] = [
  ['span', SPAN],
  ['trace', TRACE],
  ['session', 'chat'],
  ['document', SPAN],
];

let store: RandomStore;
let commands: CommandCalls<AnnotationCommands>;

beforeEach(async () => {
  store = await RandomStore.open({ hooks: [annotationHooks] });
  commands = remoteCommands(annotationPolicy, runCommandsOn(store.memory, [annotationCommands]));
  await store.memory.exec(sql`INSERT INTO users (id, username, email, role, auth_method, password_hash, password_salt,
    password_algorithm, created_at_us, updated_at_us) VALUES (1, 'ada', 'a@x.org', 'MEMBER', 'LOCAL', 'h', 's', 'a', 1, 1),
    (2, 'grace', 'g@x.org', 'MEMBER', 'LOCAL', 'h', 's', 'a', 1, 1)`);
});

const arrive = (more = {}) =>
  store.send([{ traceId: TRACE, spanId: SPAN, attributes: { 'session.id': 'chat' }, ...more }], 'app');

function about(of: NewAnnotation['of'], more: Partial<NewAnnotation> = {}): NewAnnotation {
  const said = { annotatorKind: 'HUMAN', label: null, score: null, explanation: null, metadata: '{}' } as const;
  return { of, documentPosition: -1, name: 'quality', identifier: '', ...said, ...more };
}

const positionOf = (target: AnnotationTarget) => (target === 'document' ? { documentPosition: 0 } : {});

function put(target: AnnotationTarget, annotations: readonly NewAnnotation[], caller = ANONYMOUS) {
  return commands.store(caller, { target, annotations, source: 'API' });
}

const stored = () => store.rows('SELECT target, name, label, score, identifier, user_id FROM annotations ORDER BY id');

async function only(target: AnnotationTarget, rowId = 0) {
  const found = await findAnnotations(store.scope, target, [rowId]);
  return found.get(rowId);
}

describe.each(TARGETS)('annotations of a %s', (target, key) => {
  const said = (more: Partial<NewAnnotation> = {}) => about(key, { ...positionOf(target), ...more });

  beforeEach(() => arrive());

  it('replace what has their name and identifier, also with nothing, and keep when the first was stored', async () => {
    const [first = 0] = await put(target, [said({ label: 'good', score: 0, explanation: 'why', metadata: '{"a":1}' })]);
    const before = await only(target, first);
    expect(before).toMatchObject({ label: 'good', score: 0, explanation: 'why', metadata: '{"a":1}', source: 'API' });
    await store.memory.exec(sql`UPDATE annotations SET created_at_us = 5, updated_at_us = 5`);
    expect(await put(target, [said(), said({ identifier: 'other' })])).toEqual([first, expect.any(Number)]);
    const after = await only(target, first);
    expect(after).toMatchObject({ label: null, score: null, explanation: null, metadata: '{}', createdAtUs: 5 });
    expect(after?.updatedAtUs).toBeGreaterThan(5);
    expect(await stored()).toHaveLength(2);
  });

  it('are stored in the order sent: the last of several with one key counts', async () => {
    const [a, b, c] = await put(target, [said({ score: 1 }), said({ name: 'other' }), said({ score: 2 })]);
    expect(a).toBe(c);
    expect(b).not.toBe(a);
    expect((await only(target, a))?.score).toBe(2);
  });

  it('are all refused where one has no target, which the refusal names', async () => {
    await expect(put(target, [said(), said({ of: 'nowhere' })])).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nowhere (annotation 1)'),
    });
    expect(await stored()).toEqual([]);
  });

  it('go with their target', async () => {
    await put(target, [said()]);
    await store.deleteTraces((await store.projectRowId('app')) ?? 0, { startTimeUs: null, before: null });
    await store.settle();
    expect(await stored()).toEqual([]);
  });

  it('follow their target to another project', async () => {
    await store.send([{ traceId: traceId(2), spanId: spanId(2) }], 'second');
    await put(target, [said()]);
    const second = (await store.projectRowId('second')) ?? 0;
    await store.moveTrace(await store.traceRowId(TRACE), second);
    await store.settle();
    expect(await store.rows('SELECT project_id, name FROM annotations')).toMatchObject([{ project_id: second }]);
    expect(await put(target, [said({ score: 3 })])).toHaveLength(1);
    expect(await stored()).toMatchObject([{ score: 3 }]);
  });

  it('wait for a target that is not there, and the newest is stored when it arrives', async () => {
    const later = (score: number) =>
      commands.storeLater(ANONYMOUS, {
        target,
        annotations: [said({ of: target === 'session' ? 'late' : target === 'trace' ? traceId(9) : spanId(9), score })],
        source: 'API',
      });
    await later(1);
    await later(2);
    expect(await stored()).toEqual([]);
    await store.send([{ traceId: traceId(9), spanId: spanId(9), attributes: { 'session.id': 'late' } }], 'app');
    expect(await stored()).toMatchObject([{ target, score: 2 }]);
    expect(await store.rows('SELECT id FROM waiting_annotations')).toEqual([]);
  });
});

describe('annotations', () => {
  beforeEach(() => arrive());

  it.each([
    ['a name', { name: 'a\0' }, /name contains a NUL/],
    ['an empty name', { name: ' ' }, /name is empty/],
    ['a name that is too long', { name: 'é'.repeat(501) }, /more than 1000 bytes/],
    ['a label', { label: '\ud800' }, /not valid Unicode/],
    ['an explanation that is too long', { explanation: 'x'.repeat(100_000) }, /more than 65536 bytes/],
    ['a score', { score: Infinity }, /not a finite number/],
    ['a score that is too large', { score: 1.01e100 }, /beyond 1e\+100/],
    ['a score that is too small', { score: -1e308 }, /Annotation 1: The score is beyond 1e\+100/],
    ['metadata that is too deep', { metadata: `${'{"a":'.repeat(33)}1${'}'.repeat(33)}` }, /deeper than 32 levels/],
    ['NUL in metadata', { metadata: '{"a":"\\u0000"}' }, /metadata contains a NUL/],
    ['a position of no document', { documentPosition: 0 }, /Only documents have a position/],
  ])('are refused with %s', async (_what, more, message) => {
    await expect(put('span', [about(SPAN), about(SPAN, more)])).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(message),
    });
    expect(await stored()).toEqual([]);
  });

  it('have scores as far as sums of them are numbers', async () => {
    await put('span', [about(SPAN, { score: -1e100 })]);
    expect(await stored()).toMatchObject([{ score: -1e100 }]);
  });

  it('keep an escaped backslash before u0000, which is no NUL', async () => {
    expect(await put('span', [about(SPAN, { metadata: '{"a":"\\\\u0000"}' })])).toHaveLength(1);
  });

  it('are by the caller, and outlive the account', async () => {
    await put('span', [about(SPAN)], userCaller('member', 2));
    expect(await stored()).toMatchObject([{ user_id: 2 }]);
    await store.memory.exec(sql`DELETE FROM users WHERE id = 2`);
    expect(await stored()).toMatchObject([{ user_id: null }]);
  });

  it('are deleted by their authors and by administrators, all or none', async () => {
    const rowIds = [
      ...(await put('span', [about(SPAN)], userCaller('member', 1))),
      ...(await put('span', [about(SPAN, { name: 'b' })], userCaller('member', 2))),
    ];
    const remove = (caller = ANONYMOUS, ids: readonly number[] = rowIds) =>
      commands.delete(caller, { target: 'span', rowIds: ids });
    await expect(remove(userCaller('member', 1))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(remove(systemKeyCaller())).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(remove(ANONYMOUS, [...rowIds, 99])).rejects.toMatchObject({ code: 'not_found' });
    await expect(remove(ANONYMOUS, [])).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(commands.delete(ANONYMOUS, { target: 'trace', rowIds })).rejects.toMatchObject({ code: 'not_found' });
    expect(await stored()).toHaveLength(2);
    expect(await remove(userCaller('admin', 9), rowIds.toReversed())).toMatchObject([
      { name: 'b' },
      { name: 'quality' },
    ]);
    expect(await stored()).toEqual([]);
  });

  it('are patched by their authors alone, and keep what is left out', async () => {
    const [rowId = 0] = await put('span', [about(SPAN, { label: 'a', score: 1 })], userCaller('member', 1));
    await put('span', [about(SPAN, { name: 'taken' })]);
    const patch = (change: object, caller = userCaller('member', 1)) =>
      commands.patch(caller, { target: 'span', changes: [{ rowId, ...change }] });
    expect(await patch({ label: null })).toMatchObject([{ label: null, score: 1, name: 'quality' }]);
    await expect(patch({ label: 'b' }, userCaller('admin', 2))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(patch({ name: 'taken' })).rejects.toMatchObject({ code: 'already_exists' });
    await expect(patch({ name: 'note' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('have an identifier of the web UI only from the account whose it is', async () => {
    const own = about(SPAN, { identifier: appIdentifierOf(1) });
    const [rowId = 0] = await put('span', [own], userCaller('member', 1));
    const refused = {
      code: 'invalid_argument',
      message: expect.stringMatching(/^Annotation 1: Identifiers that are px-app/),
    };
    for (const caller of [userCaller('admin', 2), systemKeyCaller()]) {
      for (const identifier of [own.identifier, 'px-app', 'px-app:']) {
        const annotations = [about(SPAN), about(SPAN, { identifier })];
        await expect(put('span', annotations, caller)).rejects.toMatchObject(refused);
        const input = { target: 'span', annotations, source: 'API' } as const;
        await expect(commands.storeLater(caller, input)).rejects.toMatchObject(refused);
      }
    }
    const [other = 0] = await put('span', [about(SPAN, { identifier: 'px-apple' })], userCaller('admin', 2));
    const changes = [{ rowId: other, name: 'b', identifier: own.identifier }];
    const patch = commands.patch(userCaller('admin', 2), { target: 'span', changes });
    await expect(patch).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await put('span', [own], userCaller('member', 1))).toEqual([rowId]);
    await put('span', [about(SPAN, { identifier: 'px-app' })]);
  });

  it('that match are deleted as far as they are the caller’s', async () => {
    await put('span', [about(SPAN), about(SPAN, { name: 'b' })], userCaller('member', 1));
    await put('span', [about(SPAN, { name: 'c' })], userCaller('member', 2));
    await put('trace', [about(TRACE)], userCaller('member', 1));
    const projectRowId = (await store.projectRowId('app')) ?? 0;
    const match = { target: 'span', projectRowId } as const;
    expect(await commands.deleteMatching(userCaller('member', 1), { ...match, name: 'c' })).toBeNull();
    expect(await commands.deleteMatching(userCaller('member', 1), { ...match, projectRowId: 99 })).toBeNull();
    expect(await commands.deleteMatching(userCaller('member', 1), { ...match, endTimeUs: 1 })).toBeNull();
    expect(await stored()).toHaveLength(4);
    await commands.deleteMatching(userCaller('member', 1), match);
    expect(await stored()).toMatchObject([{ name: 'c' }, { target: 'trace' }]);
  });

  it('that match are looked for a bounded number at a time, by name, each once', async () => {
    const many = Array.from({ length: 2500 }, (_, index) =>
      about(SPAN, {
        name: `name ${index % 7}`,
        identifier: `${index}`,
        annotatorKind: index < 2000 ? 'CODE' : 'HUMAN',
      }),
    );
    await put('span', many);
    const projectRowId = (await store.projectRowId('app')) ?? 0;
    const left: number[] = [];
    for (let after: AnnotationPlace | null | undefined; after !== null; ) {
      const match = { target: 'span', projectRowId, annotatorKind: 'CODE', after } as const;
      after = await commands.deleteMatching(ANONYMOUS, match);
      left.push((await stored()).length);
    }
    expect(left).toHaveLength(3);
    expect(left[0]).toBeGreaterThan(1000);
    expect(left[2]).toBe(500);
  });

  it('that were said earlier do not replace newer ones when their target is there', async () => {
    const [rowId = 0] = await put('span', [about(SPAN, { score: 1 })]);
    await store.memory.exec(sql`UPDATE annotations SET updated_at_us = updated_at_us + 3600000000`);
    const input = { target: 'span', annotations: [about(SPAN, { score: 2 })], source: 'API' } as const;
    expect(await commands.storeFound(ANONYMOUS, input)).toEqual([]);
    expect((await only('span', rowId))?.score).toBe(1);
  });

  it('of a session that another takes over: of two with one key the newest stays', async () => {
    await store.send([{ traceId: traceId(2), spanId: spanId(2), attributes: { 'session.id': 'chat' } }], 'second');
    const second = (await store.projectRowId('second')) ?? 0;
    const sessions = await store.rows('SELECT id, project_id FROM sessions ORDER BY id');
    const [from = 0, into = 0] = sessions.map(({ id }) => Number(id));
    await put('session', [
      about(from, { name: 'old', label: 'from' }),
      about(from, { name: 'new', label: 'from' }),
      about(from, { name: 'alone', label: 'from' }),
      about(into, { name: 'old', label: 'into' }),
      about(into, { name: 'new', label: 'into' }),
    ]);
    await store.memory.exec(
      sql`UPDATE annotations SET updated_at_us = 1 WHERE name || label IN ('oldfrom', 'newinto')`,
    );
    await store.moveTrace(await store.traceRowId(TRACE), second);
    await store.settle();
    const left = (await findAnnotationsOf(store.scope, 'session', [into])).get(into) ?? [];
    expect(left.map(({ name, label, projectRowId }) => [name, label, projectRowId])).toEqual([
      ['alone', 'from', second],
      ['new', 'from', second],
      ['old', 'into', second],
    ]);
    expect(await stored()).toHaveLength(3);
  });

  it('of a session that another takes over: what somebody said stays, and not what a span carried later', async () => {
    const inSession = (number: number, label: string, project: string) => {
      const attributes = {
        'session.id': 'chat',
        'session.annotations.0.annotation.name': label === 'from' ? 'first' : 'second',
        'session.annotations.0.annotation.label': `${label}, carried`,
      };
      return store.send([{ traceId: traceId(number), spanId: spanId(number), attributes }], project);
    };
    await inSession(2, 'into', 'second');
    await inSession(3, 'from', 'third');
    const sessions = await store.rows(`SELECT sessions.id FROM sessions JOIN projects ON projects.id = project_id
      WHERE name IN ('second', 'third') ORDER BY name`);
    const [into = 0, from = 0] = sessions.map(({ id }) => Number(id));
    await put('session', [
      about(into, { name: 'first', label: 'into' }),
      about(from, { name: 'second', label: 'from' }),
    ]);
    await store.memory.exec(
      sql`UPDATE annotations SET updated_at_us = CASE WHEN label LIKE '%carried' THEN 9 ELSE 1 END`,
    );
    await store.moveTrace(await store.traceRowId(traceId(3)), (await store.projectRowId('second')) ?? 0);
    await store.settle();
    const left = (await findAnnotationsOf(store.scope, 'session', [into])).get(into) ?? [];
    expect(left.map(({ name, label }) => [name, label])).toEqual([
      ['first', 'into'],
      ['second', 'from'],
    ]);
    expect(await stored()).toHaveLength(2);
  });

  it('that waited for an hour are given up, which the ledger counts', async () => {
    const later = { annotations: [about('nowhere'), about('nowhere', { name: 'b' })], source: 'API' } as const;
    await commands.storeLater(ANONYMOUS, { target: 'span', ...later });
    const nowUs = Date.now() * 1000;
    expect(await findSettleable(store.scope, nowUs)).toBeUndefined();
    await store.memory.exec(sql`UPDATE waiting_annotations SET received_at_us = ${nowUs - WAITING_US - 1_000_000}`);
    const found = await findSettleable(store.scope, nowUs);
    const settled = await commands.settleWaiting(SERVER, found ?? []);
    expect(settled).toEqual({ settledCount: 2, givenUpCount: 2 });
    expect(await store.rows('SELECT id FROM waiting_annotations')).toEqual([]);
    expect(
      await store.rows("SELECT outcome, reason, item_count FROM ingest_ledger WHERE signal = 'annotations'"),
    ).toEqual([{ outcome: 'expired', reason: 'no_span', item_count: 2 }]);
  });
});

describe('annotations of which more wait than one commit stores', () => {
  const settleAll = async () => {
    const settled: number[] = [];
    for (let found = await settleable(); found !== undefined; found = await settleable()) {
      settled.push((await commands.settleWaiting(SERVER, found)).settledCount);
    }
    return settled;
  };
  const settleable = () => findSettleable(store.scope, Date.now() * 1000);
  const waiting = () => store.rows('SELECT count(*) AS count FROM waiting_annotations');

  beforeEach(async () => {
    const many = Array.from({ length: 2500 }, (_, index) => about(spanId(9), { identifier: `${index}` }));
    const annotations = [...many, about(spanId(8))];
    await commands.storeLater(ANONYMOUS, { target: 'span', annotations, source: 'API' });
  });

  it('are stored by the job, with no look at what waits for others', async () => {
    const counted = countStatements(store.scope.db);
    const look = () => findSettleable({ ...store.scope, db: counted.db }, Date.now() * 1000);
    expect(await look()).toBeUndefined();
    expect(counted.take().rowCount).toBe(0);
    await store.send([{ traceId: traceId(9), spanId: spanId(9) }], 'app');
    expect(await waiting()).toEqual([{ count: 1501 }]);
    expect(await settleAll()).toEqual([1000, 500]);
    expect(await stored()).toHaveLength(2500);
    expect(await waiting()).toEqual([{ count: 1 }]);
    expect(await store.rows('SELECT target FROM arrived_targets')).toEqual([]);
  });

  it('are stored with the next spans, too', async () => {
    for (const number of [7, 6]) {
      await store.send([{ traceId: traceId(9), spanId: spanId(9), attributes: { number } }], 'app');
    }
    await store.send([{ traceId: traceId(9), spanId: spanId(9) }], 'app');
    expect(await waiting()).toEqual([{ count: 1 }]);
    expect(await settleAll()).toEqual([]);
  });

  it('go on waiting where their target is gone again', async () => {
    await store.send([{ traceId: traceId(9), spanId: spanId(9) }], 'app');
    await store.deleteTraces((await store.projectRowId('app')) ?? 0, { startTimeUs: null, before: null });
    await store.settle();
    expect(await settleAll()).toEqual([0]);
    expect(await waiting()).toEqual([{ count: 1501 }]);
  });
});

describe('a strict config', () => {
  const choose = (isStrict = true) =>
    store.memory.exec(sql`INSERT INTO annotation_configs (name, kind, optimization_direction, content, is_strict)
      VALUES ('quality', 'CATEGORICAL', 'NONE',
      '{"values":[{"label":"good","score":1},{"label":"bad","score":0}]}', ${isStrict ? 1 : 0})`);
  const ledger = () => store.rows("SELECT outcome, reason, item_count FROM ingest_ledger WHERE signal = 'annotations'");
  const refusal = {
    code: 'invalid_argument',
    message:
      'Annotation 1: The annotation config "quality" is strict: the label "fair" is not one of its labels "good", "bad".',
  };
  const mixed = {
    target: 'span',
    annotations: [about(SPAN, { label: 'good' }), about(SPAN, { label: 'fair' })],
  } as const;

  beforeEach(() => arrive());

  it.each(['store', 'storeFound', 'storeLater'] as const)('has %s refuse all of a batch', async (command) => {
    await choose();
    await expect(commands[command](ANONYMOUS, { ...mixed, source: 'API' })).rejects.toMatchObject(refusal);
    expect(await stored()).toEqual([]);
    const allowed = {
      ...mixed,
      annotations: [about(SPAN, { label: 'good', score: 1 }), about(SPAN, { name: 'tone' })],
    };
    await commands[command](ANONYMOUS, { ...allowed, source: 'API' });
    expect(await stored()).toHaveLength(2);
  });

  it('refuses what waits for a target, before it waits', async () => {
    await choose();
    const annotations = [about(spanId(9), { label: 'good' }), about(spanId(9), { label: 'fair' })];
    const input = { target: 'span', annotations, source: 'API' } as const;
    await expect(commands.storeFound(ANONYMOUS, input)).rejects.toMatchObject(refusal);
    await expect(commands.storeLater(ANONYMOUS, input)).rejects.toMatchObject(refusal);
    expect(await store.rows('SELECT id FROM waiting_annotations')).toEqual([]);
  });

  it('refuses changes, all or none, also such as clear the label', async () => {
    await choose();
    const rowIds = await put('span', [about(SPAN, { label: 'good' }), about(SPAN, { identifier: 'b', label: 'bad' })]);
    const [first = 0, second = 0] = rowIds;
    const patch = (change: object) =>
      commands.patch(ANONYMOUS, {
        target: 'span',
        changes: [
          { rowId: first, explanation: 'why' },
          { rowId: second, ...change },
        ],
      });
    await expect(patch({ label: 'fair' })).rejects.toMatchObject(refusal);
    await expect(patch({ label: null, score: 7 })).rejects.toMatchObject({
      message: expect.stringContaining('Annotation 1: The annotation config "quality" is strict: the score 7'),
    });
    expect((await only('span', first))?.explanation).toBeNull();
    await patch({ label: 'good' });
    expect(await stored()).toMatchObject([{ label: 'good' }, { label: 'good' }]);
  });

  it('that became strict refuses what waited when its target arrives, which the ledger counts', async () => {
    await commands.storeLater(ANONYMOUS, {
      target: 'span',
      annotations: [about(spanId(9), { label: 'fair' }), about(spanId(9), { identifier: 'b', label: 'good' })],
      source: 'API',
    });
    await choose();
    await store.send([{ traceId: traceId(9), spanId: spanId(9) }], 'app');
    expect(await stored()).toMatchObject([{ label: 'good' }]);
    expect(await store.rows('SELECT id FROM waiting_annotations')).toEqual([]);
    expect(await ledger()).toEqual([{ outcome: 'rejected', reason: 'strict_config', item_count: 1 }]);
  });

  it('refuses what the background job finds, which the ledger counts', async () => {
    await commands.storeLater(ANONYMOUS, {
      target: 'span',
      annotations: [about(spanId(9), { label: 'fair' })],
      source: 'API',
    });
    await choose();
    const rows = await store.rows('SELECT id FROM waiting_annotations');
    expect(
      await commands.settleWaiting(
        SERVER,
        rows.map(({ id }) => Number(id)),
      ),
    ).toEqual({ settledCount: 1, givenUpCount: 0 });
    expect(await store.rows('SELECT id FROM waiting_annotations')).toEqual([]);
    expect(await ledger()).toEqual([{ outcome: 'rejected', reason: 'strict_config', item_count: 1 }]);
  });

  it('leaves out what spans carry, which the ledger counts', async () => {
    await choose();
    const carried = (number: number, label: string) => ({
      [`annotations.${number}.annotation.name`]: number === 0 ? 'quality' : 'tone',
      [`annotations.${number}.annotation.label`]: label,
    });
    await store.send(
      [{ traceId: TRACE, spanId: spanId(2), attributes: { ...carried(0, 'fair'), ...carried(1, 'calm') } }],
      'app',
    );
    expect(await stored()).toMatchObject([{ name: 'tone', label: 'calm' }]);
    expect(await ledger()).toEqual([{ outcome: 'rejected', reason: 'strict_config', item_count: 1 }]);
  });

  it('refuses nothing once it is not strict', async () => {
    await choose(false);
    expect(await put('span', mixed.annotations)).toHaveLength(2);
  });
});
