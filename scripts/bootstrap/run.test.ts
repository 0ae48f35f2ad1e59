import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const RUN = new URL('./run.mjs', import.meta.url).href;

/** A process that becomes a Node which runs `script`. */
function becoming(script: string): ChildProcess {
  const launcher = `import { become } from ${JSON.stringify(RUN)}; become(process.execPath, ['-e', ${JSON.stringify(script)}]);`;
  return spawn(process.execPath, ['--input-type=module', '-e', launcher], { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('become', () => {
  it('ends with the exit code of what it became', async () => {
    expect(await once(becoming('process.exit(7)'), 'exit')).toEqual([7, null]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('hands %s on and waits for the end', async (signal) => {
    const child = becoming(
      `process.on('${signal}', () => process.exit(3)); console.log('ready'); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('dies of the signal of which what it became died', async () => {
    expect(await once(becoming(`process.kill(process.pid, 'SIGKILL')`), 'exit')).toEqual([null, 'SIGKILL']);
  });
});
