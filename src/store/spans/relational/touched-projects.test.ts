import { expect, it } from 'vitest';
import { MAX_TOUCHED_TRACES } from '../../writer-port.ts';
import type { TraceCount } from './request-writer.ts';
import { touchedProjects } from './touched-projects.ts';

function count(projectId: number, traceId: string, counts: Partial<TraceCount> = { stored: 1 }): TraceCount {
  return { projectId, traceId, stored: 0, replaced: 0, duplicate: 0, ...counts };
}

it('names each project once, with its traces', () => {
  const touched = touchedProjects([count(1, 'a'), count(2, 'b'), count(1, 'c', { replaced: 1 }), count(1, 'a')]);
  expect(touched).toEqual([
    { projectRowId: 1, traceIds: ['a', 'c'] },
    { projectRowId: 2, traceIds: ['b'] },
  ]);
});

it('leaves out what was there already', () => {
  expect(touchedProjects([count(1, 'a', { duplicate: 3 })])).toEqual([]);
});

it('does not name more traces than anybody asks for', () => {
  const counts = Array.from({ length: MAX_TOUCHED_TRACES + 1 }, (_, index) => count(1, String(index)));
  expect(touchedProjects(counts.slice(1))[0]?.traceIds).toHaveLength(MAX_TOUCHED_TRACES);
  expect(touchedProjects([...counts, count(1, 'one more')])).toEqual([{ projectRowId: 1, traceIds: null }]);
});
