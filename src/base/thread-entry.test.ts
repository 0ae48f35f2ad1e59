import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { threadEntry } from './thread-entry.ts';

describe('threadEntry', () => {
  it('finds the source beside a module that runs from source', () => {
    expect(existsSync(threadEntry(pathToFileURL(import.meta.filename).href, 'thread-entry'))).toBe(true);
  });

  it('finds the bundle beside a bundled caller, whatever the caller is called', () => {
    expect(threadEntry('file:///opt/cairn/dist/main.js', 'writer-thread').href).toBe(
      'file:///opt/cairn/dist/writer-thread.js',
    );
    expect(threadEntry('file:///opt/cairn/dist/pool-x1.js', 'reader-thread').href).toBe(
      'file:///opt/cairn/dist/reader-thread.js',
    );
  });
});
