/** Hashes passwords one at a time, on a thread that gets less of a busy processor than the others. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { yieldToOthers } from '#base/thread-priority';
import { logFromThread, serveCalls } from '#store/threads/rpc';
import { checkPassword, hashPassword, isKnownAlgorithm } from './password-hashes.ts';
import type { StoredPassword } from './port.ts';

/** A fourth of a core that another thread wants all the time. At the least priority, a sign-in on a busy machine took a minute. */
const STEPS_DOWN = 5;

yieldToOthers(STEPS_DOWN);
const port = parentPort as MessagePort;

const calls = {
  hash: hashPassword,
  verify: (password: string, stored: StoredPassword | null) => {
    if (stored !== null && !isKnownAlgorithm(stored.algorithm)) {
      logFromThread(port, 'warn', 'A stored password has an algorithm that this version does not know.');
    }
    return checkPassword(password, stored);
  },
  close: () => undefined,
};

/** What it answers. */
export type PasswordCalls = typeof calls;

serveCalls(port, calls);
