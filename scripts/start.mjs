// `npm start`: brings Node, dependencies and build up to date, then serves. Arguments go to `cairn serve`.
import { ensureBuilt } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ROOT, become } from './bootstrap/run.mjs';

const node = ensureNode();
ensureInstalled(ROOT);
ensureBuilt(node);
become(node, [`${ROOT}/bin/cairn.js`, 'serve', ...process.argv.slice(2)]);
