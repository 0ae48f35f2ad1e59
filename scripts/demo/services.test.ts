import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';
import { resourceAt } from './services.ts';

const THURSDAY = Date.UTC(2026, 10, 19, 12);
const DAY_MINUTES = 24 * 60;

function at(project: 'support-chat' | 'coding-agent', minute: number) {
  return resourceAt(project, new Random(minute), THURSDAY + minute * 60_000);
}

describe('resourceAt', () => {
  it('is one object for one process', () => {
    const processes = new Set(Array.from({ length: 40 }, (_, minute) => at('support-chat', minute)));
    expect(processes.size).toBe(3);
  });

  it('names project, service and version', () => {
    expect(at('coding-agent', 0).attributes).toMatchObject({
      'openinference.project.name': 'coding-agent',
      'service.name': 'patchwork-runner',
      'service.instance.id': expect.stringMatching(/^patchwork-runner-[1-4]$/),
    });
  });

  it('changes the version within a week', () => {
    const versions = [0, 1, 2, 3, 4, 5, 6].map(
      (day) => at('support-chat', day * DAY_MINUTES).attributes['service.version'],
    );
    expect(new Set(versions).size).toBeGreaterThanOrEqual(2);
  });
});
