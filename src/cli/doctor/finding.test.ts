import { describe, expect, it } from 'vitest';
import { formatFindings, runCheck } from './finding.ts';

describe('findings', () => {
  it('are a line each, with what to repair below, and a count at the end', () => {
    const text = formatFindings([
      { check: 'Node', status: 'ok', message: '24.1.0' },
      { check: 'Configuration', status: 'warning', message: 'X has no effect.' },
      { check: 'HTTP port', status: 'problem', message: '6006 is in use', repair: 'Choose another.' },
    ]);
    expect(text).toBe(
      '✓ Node: 24.1.0\n! Configuration: X has no effect.\n✗ HTTP port: 6006 is in use\n    → Choose another.\n\nProblems to fix: 1, and 1 warning.\n',
    );
  });

  it('end well when nothing but warnings came, and count those', () => {
    const warning = { check: 'Configuration', status: 'warning', message: 'X' } as const;
    expect(formatFindings([warning])).toMatch(/\n1 warning; nothing else needs fixing\.\n$/);
    expect(formatFindings([warning, warning])).toMatch(/\n2 warnings; nothing else needs fixing\.\n$/);
    expect(formatFindings([])).toMatch(/\nNothing needs fixing\.\n$/);
  });
});

describe('a check that fails itself', () => {
  it('is a problem like another', async () => {
    const [finding] = await runCheck('Disk', () => {
      throw new Error('EIO');
    });
    expect(finding).toMatchObject({ check: 'Disk', status: 'problem', message: 'could not be checked: EIO' });
  });
});
