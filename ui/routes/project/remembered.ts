/** What this browser remembers of projects. */
import { DEFAULT_TIME_RANGE, readTimeRange, type TimeRange, writeTimeRange } from '#ui/lib/time-range.ts';
import { readStored, writeStored } from '#ui/lib/storage.ts';
import { type ProjectTab, tabOf } from './project-view.ts';

/** The tab that a project was left at. */
export function rememberedTab(projectId: string): ProjectTab {
  return readStored(`tab.${projectId}`, tabOf) ?? 'traces';
}

/** Remembers the tab of a project. */
export function rememberTab(projectId: string, tab: ProjectTab): void {
  writeStored(`tab.${projectId}`, tab);
}

/** The range that was chosen last, of those that go along with the clock. */
export function rememberedRange(): TimeRange {
  return readStored('range', (value) => readTimeRange({ range: String(value) })) ?? DEFAULT_TIME_RANGE;
}

/** Remembers a range for pages whose address names none. */
export function rememberRange(range: TimeRange): void {
  const { range: key } = writeTimeRange(range);
  if (key !== undefined) writeStored('range', key);
}
