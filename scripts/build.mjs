// `npm run build`, and what `npm pack` runs first: with `--if-changed`, unless dist/ is from these very sources.
import { build, ensureBuilt } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ROOT } from './bootstrap/run.mjs';

const node = ensureNode();
ensureInstalled(ROOT);
if (process.argv.includes('--if-changed')) ensureBuilt(node);
else build(node);
