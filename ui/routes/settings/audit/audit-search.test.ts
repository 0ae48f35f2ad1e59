import { describe, expect, it } from 'vitest';
import { exportPath, isNarrowed, rangeOf, readAuditSearch, toAuditFilter } from './audit-search.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

describe('the address of the audit log', () => {
  it('is read, but for what makes no sense', () => {
    const search = readAuditSearch({ by: 'ann', action: 7, outcome: 'perhaps', object: '', range: 'soon', other: 'x' });
    expect(search).toEqual({ by: 'ann', action: '7' });
    expect(rangeOf(search)).toEqual({ kind: 'all' });
  });

  it('narrows nothing while it says nothing', () => {
    expect(isNarrowed(readAuditSearch({ range: 'all' }))).toBe(false);
    expect(isNarrowed(readAuditSearch({ range: '7d' }))).toBe(true);
    expect(isNarrowed(readAuditSearch({ outcome: 'refused' }))).toBe(true);
  });

  it('filters the list and the file alike', () => {
    const search = readAuditSearch({
      by: 'ann & co',
      user: 'VXNlcjoy',
      action: 'users.add',
      outcome: 'done',
      object: 'VXNlcjox',
      range: '1h',
    });
    const start = '2026-11-20T11:00:00.000Z';
    expect(toAuditFilter(search, NOW_MS)).toEqual({
      callerName: 'ann & co',
      userId: 'VXNlcjoy',
      operation: 'users.add',
      outcome: 'DONE',
      objectId: 'VXNlcjox',
      timeRange: { start },
    });
    const url = new URL(exportPath(search, 'jsonl', NOW_MS), 'http://localhost');
    expect(url.pathname).toBe('/v1/audit_events/export');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      format: 'jsonl',
      caller_name: 'ann & co',
      user_id: 'VXNlcjoy',
      operation: 'users.add',
      outcome: 'done',
      object_id: 'VXNlcjox',
      start_time: start,
    });
  });
});
