import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { findUiBreaches } from './ui.ts';

function breachesOf(path: string, text: string): readonly string[] {
  return findUiBreaches(exampleTree({ [path]: text }));
}

describe('findUiBreaches', () => {
  it.each([
    ['ui/main.tsx', `import './lib/relay-environment.ts'; import { router } from './router.tsx';`],
    ['ui/routes/trace/tree.tsx', `import { Button } from '#ui/components/button.tsx'; import '#ui/lib/format.ts';`],
    ['ui/routes/trace/tree.tsx', `import { graphql } from 'react-relay'; import './tree.module.css';`],
    ['ui/routes/session/turns.tsx', `import { TracePanel } from '../trace/trace-panel.tsx';`],
    ['ui/components/badge.tsx', `import { SPAN_KINDS } from '#domain/span'; import type { ReactNode } from 'react';`],
    ['ui/lib/live.test.ts', `import { readFileSync } from 'node:fs';`],
  ])('accepts in %s: %s', (path, text) => {
    expect(breachesOf(path, text)).toEqual([]);
  });

  it.each([
    ['ui/lib/a.ts', `import { z } from '#store/spans/port';`, 'ui may not import store (#store/spans/port)'],
    ['ui/lib/a.ts', `import 'node:fs';`, 'node:fs is not there in a browser'],
    [
      'ui/lib/a.ts',
      `import '#ui/components/button.tsx';`,
      'ui/lib may not import ui/components (#ui/components/button.tsx)',
    ],
    [
      'ui/components/a.tsx',
      `import '../routes/shell/shell.tsx';`,
      'ui/components may not import ui/routes (../routes/shell/shell.tsx)',
    ],
    ['ui/components/a.tsx', `import { useFragment } from 'react-relay';`, 'components get their data as props'],
    ['ui/routes/a/a.tsx', `import '../../../scripts/x.ts';`, '../../../scripts/x.ts leaves ui/'],
  ])('rejects in %s: %s', (path, text, breach) => {
    expect(breachesOf(path, text)).toEqual([`${path}:1: ${breach}`]);
  });
});
