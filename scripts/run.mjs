// Runs a TypeScript entry on the right Node with dependencies installed: `node scripts/run.mjs bench/ingest.ts --seconds 10`.
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ROOT, become } from './bootstrap/run.mjs';

const node = ensureNode();
ensureInstalled(ROOT);
become(node, process.argv.slice(2));
