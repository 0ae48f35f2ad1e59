import { expect, it } from 'vitest';
import { MAX_TOUCHED_TRACES } from '../../engine/touched-project.ts';
import { type TouchedPlace, touchedProjects } from './touched-projects.ts';

function place(projectId: number, traceId: string | null): TouchedPlace {
  return { projectId, traceId };
}

it('names each project once, with its traces', () => {
  const touched = touchedProjects([place(1, 'a'), place(2, 'b'), place(1, 'c'), place(1, 'a'), place(3, null)], 9);
  expect(touched).toEqual([
    { projectRowId: 1, traceIds: ['a', 'c'], changedAtUs: 9 },
    { projectRowId: 2, traceIds: ['b'], changedAtUs: 9 },
    { projectRowId: 3, traceIds: [], changedAtUs: 9 },
  ]);
});

it('does not name more traces than anybody asks for', () => {
  const places = Array.from({ length: MAX_TOUCHED_TRACES + 1 }, (_, index) => place(1, String(index)));
  expect(touchedProjects(places.slice(1))[0]?.traceIds).toHaveLength(MAX_TOUCHED_TRACES);
  expect(touchedProjects([...places, place(1, 'one more')])[0]?.traceIds).toBeNull();
});
