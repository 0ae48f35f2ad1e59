// `npm run build`, and what `npm pack` runs first.
import { build } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ROOT } from './bootstrap/run.mjs';

const node = ensureNode();
ensureInstalled(ROOT);
build(node);
