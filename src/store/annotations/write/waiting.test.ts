import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { RandomStore } from '../../random-store.fixture.ts';
import { annotationHooks } from './hooks.ts';
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

  it('are not replaced by what spans carry', async () => {
    await wait(said({ score: 1, source: 'APP', atUs: NOW_US - 5 }));
    await wait(said({ score: 2, isCarried: true }));
    expect(await storedOnArrival()).toEqual([{ name: 'quality', score: 1 }]);
  });
});
