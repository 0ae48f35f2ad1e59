import { readFileSync } from 'node:fs';

/** layers.json: what each top-level folder of src/ (or file directly in it) may import. */
export interface LayerTable {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** Layers whose types everybody may import. */
  readonly typesAnywhere: readonly string[];
  /** By top-level folder of src/, its own layers, where it has any: the lowest first. */
  readonly inside: Readonly<Record<string, readonly InnerLayer[]>>;
}

/** Folders of one top-level folder that belong together. */
export interface InnerLayer {
  readonly layer: string;
  /** Other layers of the same top-level folder. */
  readonly mayImport: readonly string[];
  /** Paths below the top-level folder, the lowest first; a file directly in it stands for itself. */
  readonly folders: readonly string[];
}

/** Reads a checkout's layers.json. */
export function readLayerTable(root: string): LayerTable {
  return JSON.parse(readFileSync(`${root}/layers.json`, 'utf8')) as LayerTable;
}

/** The layer of a file below src/: its top-level folder, or its own name when it lies directly in src/. */
export function layerOf(path: string): string {
  return path.split('/')[1] ?? path;
}
