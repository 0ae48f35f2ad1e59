import { describe, expect, it } from 'vitest';
import { startNode } from './child-process.ts';

/** `serve` in a process of its own, around a server of which a test says how it starts and how it closes. */
function startServing(server: { start?: string; close?: string; outdated?: string }, env: Record<string, string> = {}) {
  const script = `
    import { AppError } from '#base/errors';
    import { serve } from './src/cli/serve.ts';
    import { createServer } from 'node:http';
    const running = createServer();
    const startServer = async (config, log) => {
      ${server.start ?? ''}
      await new Promise((resolve) => running.listen(0, '127.0.0.1', resolve));
      const close = async () => { ${server.close ?? ''}; running.close(); };
      return { httpUrl: 'http://localhost:6006', grpcAddress: 'localhost:4317', outdated: ${server.outdated ?? 'new Promise(() => {})'}, firstPassword: null, close };
    };
    process.exitCode = await serve({}, async () => ({ startServer }));
  `;
  return startNode(['--input-type=module', '--eval', script], { SERVICE_WORKING_DIR: '/data', ...env });
}

describe('a start', () => {
  it('says where everything is and how to send a first trace, and stops on SIGTERM with 0', async () => {
    const { child, finished, waitForOutput } = startServing({});
    await waitForOutput(/Ctrl\+C/);
    child.kill('SIGTERM');
    const { exitCode, stdout, stderr } = await finished;
    expect(exitCode).toBe(0);
    for (const place of ['http://localhost:6006\n', 'http://localhost:6006/v1/traces', 'localhost:4317', 'cairn.db']) {
      expect(stdout).toContain(place);
    }
    expect(stdout).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:6006');
    expect(stderr).toMatch(/after SIGTERM[^]*Stopped\./);
  });

  it('tells machines by a line of JSON, and nothing on standard output', async () => {
    const { child, finished, waitForOutput } = startServing({}, { SERVICE_LOGGING_MODE: 'structured' });
    await waitForOutput(/Ready/);
    child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await finished;
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
      level: 'info',
      message: 'Ready.',
      httpUrl: 'http://localhost:6006',
    });
  });

  it('logs the warnings of the configuration', async () => {
    const { child, finished, waitForOutput } = startServing({}, { SERVICE_PROT: '1', SERVICE_HOST: '0.0.0.0' });
    await waitForOutput(/Ctrl\+C/);
    child.kill('SIGTERM');
    const { stderr } = await finished;
    expect(stderr).toMatch(
      / WARN {2}SERVICE_PROT .*Did you mean SERVICE_PORT\?\n.* WARN {2}SERVICE_HOST is 0\.0\.0\.0/,
    );
  });

  it('that fails is one line without a stack, and exit code 1', async () => {
    const start = "throw new AppError('unavailable', 'Port 6006 is in use.', { cause: new Error('EADDRINUSE') });";
    const { exitCode, stderr } = await startServing({ start }).finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^\S+ ERROR Port 6006 is in use\.\n$/);
  });

  it('that fails unexpectedly is one line, too; the cause is for level debug', async () => {
    const start = "throw new TypeError('boom');";
    const [quiet, debug] = await Promise.all([
      startServing({ start }).finished,
      startServing({ start }, { SERVICE_LOGGING_LEVEL: 'debug' }).finished,
    ]);
    expect([quiet.exitCode, debug.exitCode]).toEqual([1, 1]);
    expect(quiet.stderr).toMatch(/^\S+ ERROR Cairn could not start: boom\n$/);
    expect(debug.stderr).toContain('at startServer');
  });
});

describe('a stop', () => {
  it('waits until what is under way is done', async () => {
    const close = "await new Promise((resolve) => setTimeout(resolve, 300)); console.log('drained')";
    const { child, finished, waitForOutput } = startServing({ close });
    await waitForOutput(/Ctrl\+C/);
    child.kill('SIGTERM');
    const { exitCode, stdout } = await finished;
    expect([exitCode, stdout.includes('drained')]).toEqual([0, true]);
  });

  it("comes by itself, with 1, when the data are a newer version's", async () => {
    const outdated = "new Promise((resolve) => setTimeout(() => resolve('A newer version took over.'), 100))";
    const { exitCode, stderr } = await startServing({ outdated, close: "console.error('closed')" }).finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^\S+ ERROR A newer version took over\.\nclosed\n\S+ INFO {2}Stopped\.\n$/);
  });

  it('happens at once, with 1, when a close that hangs is met by a second signal', async () => {
    const close = "setTimeout(() => console.log('half a second'), 600); await new Promise(() => {})";
    const { child, finished, waitForOutput } = startServing({ close });
    await waitForOutput(/Ctrl\+C/);
    child.kill('SIGINT');
    await waitForOutput(/half a second/);
    child.kill('SIGINT');
    const { exitCode, stderr } = await finished;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Stopped immediately: a second signal arrived (SIGINT)');
  });
});
