import { describe, expect, it } from 'vitest';
import { CODING_SERVICE, resourceAt, SUPPORT_SERVICE } from './services.ts';

const THURSDAY = Date.UTC(2026, 10, 19, 12);
const DAY_MS = 86_400_000;

describe('resourceAt', () => {
  it('is one object for one process', () => {
    expect(resourceAt(SUPPORT_SERVICE, 1, THURSDAY)).toBe(resourceAt(SUPPORT_SERVICE, 1, THURSDAY + 60_000));
    expect(resourceAt(SUPPORT_SERVICE, 1, THURSDAY)).not.toBe(resourceAt(SUPPORT_SERVICE, 2, THURSDAY));
  });

  it('names project, service and version', () => {
    expect(resourceAt(CODING_SERVICE, 0, THURSDAY).attributes).toMatchObject({
      'openinference.project.name': 'coding-agent',
      'service.name': 'patchwork-runner',
      'service.instance.id': 'patchwork-runner-1',
    });
  });

  it('changes the version within a week', () => {
    const versions = [0, 1, 2, 3, 4, 5, 6].map(
      (day) => resourceAt(SUPPORT_SERVICE, 0, THURSDAY + day * DAY_MS).attributes['service.version'],
    );
    expect(new Set(versions).size).toBeGreaterThanOrEqual(2);
  });
});
