/**
 * Address of the worker entry `name`: its TypeScript source beside the calling module in a checkout, its bundle when the
 * caller is bundled (the build puts every bundle flat into dist/). Give it `import.meta.url` and a bare name.
 */
export function threadEntry(importMetaUrl: string, name: string): URL {
  const extension = importMetaUrl.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, importMetaUrl);
}
