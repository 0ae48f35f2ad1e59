import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const RUN = new URL('./run.mjs', import.meta.url).href;

/** The arguments of a Node that becomes another one, which runs `script`. */
function launch(script: string): readonly string[] {
  const launcher = `import { become } from ${JSON.stringify(RUN)}; become(process.execPath, ['-e', ${JSON.stringify(script)}]);`;
  return ['--input-type=module', '-e', launcher];
}

function becoming(script: string): ChildProcess {
  return spawn(process.execPath, launch(script), { stdio: ['ignore', 'pipe', 'inherit'] });
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

  it.skipIf(process.platform === 'win32')(
    'stops what it became when the shell in which npm runs it is gone',
    async () => {
      const script = `process.on('SIGTERM', () => { console.log('stopped'); process.exit(); });
      console.log(process.pid); setInterval(() => {}, 1000);`;
      const shell = spawn('sh', ['-c', '"$0" "$@"; true', process.execPath, ...launch(script)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, npm_lifecycle_event: 'start' },
      });
      const output = shell.stdout as NodeJS.ReadableStream;
      const pid = Number(String(await once(output, 'data')));
      shell.kill('SIGTERM');
      try {
        const signal = AbortSignal.timeout(3000);
        expect(String(await once(output, 'data', { signal }))).toBe('stopped\n');
      } catch (error) {
        process.kill(pid, 'SIGKILL'); // only what is still there, so that nothing outlives the test
        throw error;
      }
    },
  );
});
