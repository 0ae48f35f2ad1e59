import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const CHANGES = resolve(import.meta.dirname, '../../changes');

/** `kind: …`, an empty line, one sentence for the reader; what follows is free. */
const FRAGMENT = /^kind: (added|changed|fixed)\n\n[A-Z`].*[.:](\n|$)/;

describe('changes/', () => {
  const names = readdirSync(CHANGES);

  it('holds a fragment for every user-visible change, named in kebab-case', () => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name))).toEqual([]);
  });

  it.each(names)('%s says its kind, then a sentence', (name) => {
    expect(readFileSync(`${CHANGES}/${name}`, 'utf8')).toMatch(FRAGMENT);
  });
});
