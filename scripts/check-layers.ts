/** Holds layers.json and the rules of resource slices and of ui/; prints every breach and fails when there is one. */
import { resolve } from 'node:path';
import { findBoundaryBreaches } from './layers/boundaries.ts';
import { findInsideBreaches } from './layers/inside.ts';
import { readLayerTable } from './layers/layer.ts';
import { findSliceBreaches } from './layers/slices.ts';
import { findUiBreaches } from './layers/ui.ts';
import { readSourceTree, readUiTree } from './source/tree.ts';

const root = resolve(import.meta.dirname, '..');
const table = readLayerTable(root);
const tree = readSourceTree(root);
const ui = readUiTree(root);
const breaches = [
  ...findBoundaryBreaches(tree, table),
  ...findInsideBreaches(tree, table),
  ...findSliceBreaches(tree),
  ...findUiBreaches(ui),
];
for (const breach of breaches) console.error(breach);
console.log(`${tree.size + ui.size} files, ${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;
