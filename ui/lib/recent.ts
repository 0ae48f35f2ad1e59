/** What was looked at lately in this browser, the latest first. */
import { createStored, useStored } from './storage.ts';

/** A page that was looked at. Ids of projects and sessions are node ids, those of traces hexadecimal. */
export type RecentItem = {
  /** As the lists name it. */
  readonly title: string;
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
} & (
  | { readonly kind: 'project' }
  | { readonly kind: 'trace'; readonly traceId: string }
  | { readonly kind: 'session'; readonly sessionId: string }
);

const MAX_ITEMS = 24;

const recent = createStored<readonly RecentItem[]>('recent', [], (value) =>
  Array.isArray(value) ? value.filter(isRecentItem) : undefined,
);

/** What was looked at, the latest first. */
export function useRecentItems(): readonly RecentItem[] {
  return useStored(recent);
}

/** Remembers that the page of an object is looked at. */
export function recordVisit(item: RecentItem): void {
  recent.set(withVisit(recent.get(), item));
}

/** Forgets a project and all that was looked at in it. */
export function forgetProject(projectId: string): void {
  recent.set(recent.get().filter((item) => item.projectId !== projectId));
}

/** The list after a visit: each object once, the latest first. */
export function withVisit(items: readonly RecentItem[], item: RecentItem): readonly RecentItem[] {
  const key = recentKey(item);
  return [item, ...items.filter((other) => recentKey(other) !== key)].slice(0, MAX_ITEMS);
}

/** Names an object among all that can be visited. */
export function recentKey(item: RecentItem): string {
  switch (item.kind) {
    case 'project':
      return `project ${item.projectId}`;
    case 'trace':
      return `trace ${item.projectId} ${item.traceId}`;
    case 'session':
      return `session ${item.sessionId}`;
    default:
      return item satisfies never;
  }
}

function isRecentItem(value: unknown): value is RecentItem {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const idName = fields['kind'] === 'trace' ? 'traceId' : fields['kind'] === 'session' ? 'sessionId' : 'projectId';
  return (
    ['project', 'trace', 'session'].includes(String(fields['kind'])) &&
    ['title', 'projectId', 'projectName', idName].every((name) => typeof fields[name] === 'string')
  );
}
