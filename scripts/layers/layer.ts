import { readFileSync } from 'node:fs';

/** layers.json: what each top-level folder of src/ (or file directly in it) may import. */
export interface LayerTable {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** Layers whose types everybody may import. */
  readonly typesAnywhere: readonly string[];
}

/** Reads a checkout's layers.json. */
export function readLayerTable(root: string): LayerTable {
  return JSON.parse(readFileSync(`${root}/layers.json`, 'utf8')) as LayerTable;
}

/** The layer of a file below src/: its top-level folder, or its own name when it lies directly in src/. */
export function layerOf(path: string): string {
  return path.split('/')[1] ?? path;
}
