import { expect, it } from 'vitest';
import { ANONYMOUS } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { RandomStore } from '#store/random-store.fixture';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type AnnotationCommands, annotationCommands } from './commands.ts';
import { annotationPolicy } from './policy.ts';
import { listAnnotations } from './queries.ts';

it('reads pages that end early where texts are large, each annotation once', async () => {
  const store = await RandomStore.open({});
  await store.send([{ traceId: traceId(1), spanId: spanId(1) }], 'app');
  const run = runCommandsOn(store.memory, [annotationCommands]);
  const commands: CommandCalls<AnnotationCommands> = remoteCommands(annotationPolicy, run);
  const annotations = Array.from({ length: 70 }, (_, place) => ({
    of: spanId(1),
    documentPosition: -1,
    name: `quality ${place}`,
    identifier: 'large',
    annotatorKind: 'HUMAN' as const,
    label: null,
    score: null,
    explanation: 'e'.repeat(65_000),
    metadata: JSON.stringify({ text: 'm'.repeat(65_000) }),
  }));
  const rowIds = await commands.store(ANONYMOUS, { target: 'span', annotations, source: 'API' });
  const projectRowId = (await store.projectRowId('app')) ?? 0;
  const filter = { projectRowId, target: 'span', identifiers: ['large'] } as const;
  const found: number[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await listAnnotations(store.scope, filter, { limit: 10_000, cursor });
    found.push(...page.data.map(({ rowId }) => rowId));
    sizes.push(page.data.length);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(sizes).toEqual([64, 6]);
  expect(found).toEqual(rowIds.toSorted((a, b) => b - a));
});
