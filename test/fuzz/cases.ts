/** All targets, and one case of one of them. */
import { randomOfCase } from './random.ts';
import { Finding, type Target } from './target.ts';
import { compressionTarget } from './targets/compression.ts';
import { grpcFramingTarget } from './targets/grpc-framing.ts';
import { jsonTarget } from './targets/json.ts';
import { protobufTarget } from './targets/protobuf.ts';
import { readingTarget } from './targets/reading.ts';
import { redactionTarget } from './targets/redaction.ts';
import { storingLogsTarget } from './targets/storing-logs.ts';
import { storingTarget } from './targets/storing.ts';

/** Every decoder that bytes from outside reach. */
export const TARGETS: readonly Target[] = [
  protobufTarget,
  jsonTarget,
  compressionTarget,
  grpcFramingTarget,
  redactionTarget,
  readingTarget,
  storingTarget,
  storingLogsTarget,
];

/** One case: the same for the same seed. */
export interface Case {
  readonly seed: number;
  readonly target: string;
  readonly index: number;
}

/** The input of a case. */
export function createInput({ seed, target, index }: Case): Uint8Array {
  return getTarget(target).create(randomOfCase(seed, target, index));
}

/** What is wrong with a case; `undefined` for nothing. */
export async function findProblem(one: Case): Promise<string | undefined> {
  const { seed, target, index } = one;
  try {
    // Choices of the check go on from others than those that made the input, which need not be known to repeat it.
    await getTarget(target).check(createInput(one), randomOfCase(seed, `${target} check`, index));
    return undefined;
  } catch (error) {
    if (error instanceof Finding) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function getTarget(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(`There are the targets ${TARGETS.map((one) => one.name).join(', ')}.`);
  return found;
}
