/**
 * `npm run bench:auth`: what asking for credentials costs. Prints a table: processor time of a request with a key beside one without
 * authentication, how long a sign-in takes, and what is left of the speed of `/v1/traces` while somebody guesses passwords.
 */
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { measureGuessing } from './auth/guessing.ts';
import { measureKeys } from './auth/keys.ts';
import { measureSignIns } from './auth/sign-ins.ts';

const { values } = parseArgs({
  options: {
    /** Times that the servers take turns for each kind of request. */
    rounds: { type: 'string', default: '10' },
    /** How long each stretch with guesses, and each without, is. */
    seconds: { type: 'string', default: '10' },
  },
});

ensureBuilt(process.execPath);
const rows = [
  ...(await measureKeys(Number(values.rounds))),
  ...(await measureSignIns()),
  ...(await measureGuessing(Number(values.seconds))),
];
console.log(
  ['| | Target | Measured | |', '| --- | ---: | ---: | --- |']
    .concat(
      rows.map(
        ({ what, target, measured, isMet }) => `| ${what} | ${target} | ${measured} | ${isMet ? 'met' : 'missed'} |`,
      ),
    )
    .join('\n'),
);
