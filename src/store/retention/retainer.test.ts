import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type DeletionStore, findLeftovers, openDeletionStore } from '../deletion/deletion.fixture.ts';
import { DEFAULT_POLICY_ROW_ID, type RetentionRule } from '#domain/retention';
import { markApplied, seedDefaultPolicy } from './due-traces.ts';
import { Retainer, type RetainerOptions } from './retainer.ts';

const DAY_US = 86_400_000_000;

/** A Sunday at noon. */
const NOW_US = Date.parse('2026-11-22T12:00:00Z') * 1000;

let store: DeletionStore;
let nowUs = NOW_US;

beforeEach(async () => {
  store = await openDeletionStore(50);
  nowUs = NOW_US;
  for (let days = 1; days <= 9; days++) {
    for (const [place, project] of ['default', 'app'].entries()) {
      const number = place * 100 + days;
      const span = { traceId: traceId(number), spanId: spanId(number), startUs: NOW_US - days * DAY_US };
      await store.send([span, { ...span, spanId: spanId(number + 50) }], project);
    }
  }
});

function retainerOf(
  defaultDays = 0,
  options: Partial<RetainerOptions> = {},
): { retainer: Retainer; applied: unknown[] } {
  const applied: unknown[] = [];
  const { db, remover } = store;
  const retainer = new Retainer({
    read: db,
    seedDefault: (maxDays) => seedDefaultPolicy(db, maxDays, nowUs),
    noteApplied: (rowId, atUs) => markApplied(db, rowId, atUs),
    remove: (request) => remover.delete(request),
    onApplied: ({ name }, project, deleted) => void applied.push([name, project, deleted]),
    onError: (message, cause) => {
      throw new Error(message, { cause });
    },
    now: () => nowUs,
    defaultDays,
    everyMs: 1000,
    ...options,
  });
  return { retainer, applied };
}

/** A policy of the project `app` that was made a week ago. */
async function makePolicy(rule: Partial<RetentionRule>, cron = '0 0 * * *'): Promise<void> {
  const { maxDays: max_days = null, maxCount: max_count = null } = rule;
  const policy = await store.db
    .insertInto('retention_policies')
    .values({ name: 'short', cron, max_days, max_count, looked_at_us: NOW_US - 7 * DAY_US })
    .returning('id')
    .executeTakeFirstOrThrow();
  const project_id = await store.projectRowId('app');
  await store.db.insertInto('project_retention').values({ project_id, policy_id: policy.id }).execute();
}

async function daysLeft(project: string): Promise<readonly number[]> {
  const query = `SELECT start_us FROM traces WHERE project_id = ${await store.projectRowId(project)} ORDER BY start_us DESC`;
  return (await store.rows(query)).map((row) => (NOW_US - Number(row['start_us'])) / DAY_US);
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('a retention policy', () => {
  it.each([
    ['by age', { maxDays: 3.5 }, [1, 2, 3]],
    ['by number', { maxCount: 2 }, [1, 2]],
    ['by both, where age lets more go', { maxDays: 1.5, maxCount: 5 }, [1]],
    ['by both, where number lets more go', { maxDays: 8, maxCount: 4 }, [1, 2, 3, 4]],
    ['that keeps everything', { maxDays: 0, maxCount: 0 }, ALL],
    ['by a number that is not reached', { maxCount: 9 }, ALL],
  ] as const)('%s deletes what its rule lets go, and nothing of other projects', async (_name, rule, left) => {
    await makePolicy(rule);
    const { retainer, applied } = retainerOf();
    await retainer.look();
    await store.remover.finished();
    expect(await daysLeft('app')).toEqual(left);
    expect(await daysLeft('default')).toEqual(ALL);
    const traceCount = 9 - left.length;
    const outcome = ['short', await store.projectRowId('app'), { traceCount, spanCount: 2 * traceCount }];
    expect(applied).toEqual(traceCount === 0 ? [] : [outcome]);
    expect(await store.rows('SELECT reason, policy_id, trace_count FROM deletions')).toEqual(
      traceCount === 0 ? [] : [{ reason: 'retention', policy_id: 1, trace_count: traceCount }],
    );
    expect(await findLeftovers(store)).toEqual([]);
  });

  it('is applied once each time it is due, also where no server ran then', async () => {
    await makePolicy({ maxDays: 4.5 }, '0 6 * * 0');
    const { retainer, applied } = retainerOf();
    await retainer.look();
    expect([applied.length, await daysLeft('app')]).toEqual([1, [1, 2, 3, 4]]);
    nowUs += 3 * DAY_US;
    await retainer.look();
    expect(await daysLeft('app')).toEqual([1, 2, 3, 4]);
    nowUs += 4 * DAY_US;
    await retainer.look();
    expect([applied.length, await daysLeft('app')]).toEqual([2, []]);
  });

  it('is the default one for projects without one of their own, which the first start may give days', async () => {
    await makePolicy({ maxDays: 0 });
    const { retainer } = retainerOf(5);
    await retainer.look();
    expect(await daysLeft('default')).toEqual(ALL);
    nowUs += 7 * DAY_US;
    await retainer.look();
    expect([await daysLeft('default'), await daysLeft('app')]).toEqual([[], ALL]);
    await retainerOf(9).retainer.look();
    const defaults = `SELECT max_days FROM retention_policies WHERE id = ${DEFAULT_POLICY_ROW_ID}`;
    expect(await store.rows(defaults)).toEqual([{ max_days: 5 }]);
  });

  it('that cannot be applied keeps no other from being applied, and is tried again later', async () => {
    await makePolicy({ maxDays: 4.5 });
    const app = await store.projectRowId('app');
    const errors: string[] = [];
    let isBroken = true;
    const { retainer } = retainerOf(5, {
      remove: async (request) => {
        if (isBroken && request.projectRowId === app) throw new Error('broken');
        return store.remover.delete(request);
      },
      onError: (message) => errors.push(message),
    });
    await retainer.look();
    nowUs += 7 * DAY_US;
    for (let looks = 0; looks < 3; looks++) await retainer.look();
    expect([await daysLeft('app'), await daysLeft('default')]).toEqual([ALL, []]);
    expect(errors).toHaveLength(2);
    isBroken = false;
    nowUs += 3_600_000_000;
    await retainer.look();
    expect(await daysLeft('app')).toEqual([]);
  });

  it('deletes nothing by a policy that is deleted while it is applied, and forgets the policy of what it deleted', async () => {
    await makePolicy({ maxDays: 4.5 });
    await retainerOf().retainer.look();
    await store.exec('DELETE FROM retention_policies WHERE id = 1');
    const projectRowId = await store.projectRowId('app');
    const selection = { startTimeUs: null, before: null };
    const late = await store.remover.delete({ projectRowId, selection, reason: 'retention', policyRowId: 1 });
    expect(late).toBeUndefined();
    expect(await daysLeft('app')).toEqual([1, 2, 3, 4]);
    const deletions = await store.rows('SELECT reason, policy_id FROM deletions');
    expect(deletions).toEqual([{ reason: 'retention', policy_id: null }]);
    expect(await store.rows('SELECT * FROM project_retention')).toEqual([]);
  });

  it('is not applied to further projects by a rule that was changed meanwhile', async () => {
    await store.exec(
      `UPDATE retention_policies SET max_days = 1, looked_at_us = 1 WHERE id = ${DEFAULT_POLICY_ROW_ID}`,
    );
    const { retainer } = retainerOf();
    const first = await retainer.next();
    if (first === undefined) throw new Error('nothing is due');
    await retainer.apply(first);
    await store.exec(
      `UPDATE retention_policies SET max_days = 0, looked_at_us = ${NOW_US} WHERE id = ${DEFAULT_POLICY_ROW_ID}`,
    );
    expect(await retainer.next()).toBeUndefined();
    expect([await daysLeft('default'), await daysLeft('app')]).toEqual([[1], ALL]);
  });
});
