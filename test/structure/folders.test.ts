import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLayerTable } from '../../scripts/layers/layer.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = readdirSync(`${ROOT}/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('top-level folders of src/', () => {
  it.each(FOLDERS)('%s/ stands in docs/architecture.md', (folder) => {
    expect(readFileSync(`${ROOT}/docs/architecture.md`, 'utf8')).toMatch(new RegExp(`\\b${folder}/`));
  });

  it('are the folders of layers.json, each with its alias', () => {
    const layers = Object.keys(readLayerTable(ROOT).layers).filter((layer) => !layer.endsWith('.ts'));
    const { imports } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { imports: object };
    expect(FOLDERS.toSorted()).toEqual(layers.toSorted());
    expect(Object.keys(imports)).toEqual([...layers, 'ui'].map((layer) => `#${layer}/*`));
  });

  it('may import only folders that stand before them', () => {
    const layers = Object.entries(readLayerTable(ROOT).layers);
    const order = layers.map(([layer]) => layer);
    const upward = layers.flatMap(([layer, allowed]) =>
      allowed.filter((target) => order.indexOf(target) >= order.indexOf(layer)).map((target) => `${layer} → ${target}`),
    );
    expect(upward).toEqual([]);
  });
});
