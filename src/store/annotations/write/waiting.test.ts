import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { RandomStore } from '../../random-store.fixture.ts';
import { annotationHooks } from './hooks.ts';
import { fillWaiting } from './waiting.fixture.ts';
import { letWait, type SentAnnotation } from './waiting.ts';

const NOW_US = Date.now() * 1000;

let store: RandomStore;

beforeEach(async () => {
  store = await RandomStore.open({ hooks: [annotationHooks] });
});

function said(more: Partial<SentAnnotation>): SentAnnotation {
  const nothing = { label: null, score: null, explanation: null, metadata: '{}' } as const;
  const key = { target: 'span', of: spanId(1), documentPosition: -1, name: 'quality', identifier: '' } as const;
  const by = { annotatorKind: 'CODE', source: 'API', userRowId: null, isCarried: false } as const;
  return { ...nothing, ...key, ...by, atUs: NOW_US, reach: null, ...more };
}

const wait = (...sent: readonly SentAnnotation[]) => letWait(store.memory, sent, NOW_US, 'refuse');

async function storedOnArrival(): Promise<readonly unknown[]> {
  await store.send([{ traceId: traceId(1), spanId: spanId(1) }], 'app');
  return store.rows('SELECT name, score FROM annotations ORDER BY name');
}

describe('annotations that wait', () => {
  it('are not replaced by older ones', async () => {
    await wait(said({ score: 1, atUs: NOW_US - 5 }));
    await wait(said({ score: 2, atUs: NOW_US - 9 }), said({ name: 'other', score: 3, atUs: NOW_US - 9 }));
    await wait(said({ name: 'other', score: 4, atUs: NOW_US - 8 }));
    expect(await storedOnArrival()).toEqual([
      { name: 'other', score: 4 },
      { name: 'quality', score: 1 },
    ]);
  });

  it('are not replaced by those of senders who may not write to the project of the target', async () => {
    await wait(said({ score: 1, atUs: NOW_US - 5 }));
    await wait(said({ score: 2, reach: [99] }));
    expect(await storedOnArrival()).toEqual([{ name: 'quality', score: 1 }]);
  });

  it('are refused where too many of one author wait, but for those that replace others', async () => {
    await store.memory.exec(sql`INSERT INTO users (id, username, email, role, auth_method, password_hash, password_salt,
      password_algorithm, created_at_us, updated_at_us) VALUES (1, 'ada', 'a@x.org', 'MEMBER', 'LOCAL', 'h', 's', 'a', 1, 1)`);
    await wait(said({ score: 1, userRowId: 1 }));
    await fillWaiting(store.memory, { userRowId: 1, isCarried: 0, count: 19_999 });
    await wait(said({ score: 2, userRowId: 1 }));
    const refused = wait(said({ score: 3, userRowId: 1 }), said({ name: 'b', userRowId: 1 }));
    await expect(refused).rejects.toMatchObject({ code: 'resource_exhausted' });
    await wait(said({ name: 'c', score: 4 }));
    expect(await storedOnArrival()).toEqual([
      { name: 'c', score: 4 },
      { name: 'quality', score: 2 },
    ]);
  });

  it('are refused where too many of all wait', async () => {
    await fillWaiting(store.memory, { userRowId: null, isCarried: 1, count: 100_000 });
    await expect(wait(said({}))).rejects.toMatchObject({ code: 'resource_exhausted' });
  });

  it('are not replaced by what spans carry', async () => {
    await wait(said({ score: 1, source: 'APP', atUs: NOW_US - 5 }));
    await wait(said({ score: 2, isCarried: true }));
    expect(await storedOnArrival()).toEqual([{ name: 'quality', score: 1 }]);
  });
});
