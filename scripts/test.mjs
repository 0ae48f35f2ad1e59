// `npm test`: brings Node, dependencies and the clients of the tests up to date, then runs every check, or those named;
// `npm run test:long` runs them in all their rounds.
import { ensureInstalled } from './bootstrap/install.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ROOT, become } from './bootstrap/run.mjs';

const node = ensureNode();
ensureInstalled(ROOT);
ensureInstalled(`${ROOT}/test/clients`);
// test/packaging/ shows what the program says to a Node that is too old: the machine's own, where that is one.
process.env.CAIRN_TEST_MACHINE_NODE = process.execPath;
become(node, [`${ROOT}/scripts/checks.ts`, ...process.argv.slice(2)]);
