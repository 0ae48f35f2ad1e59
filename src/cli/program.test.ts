import { describe, expect, it } from 'vitest';
import { CAIRN_VERSION } from '#base/version';
import { runCairn, startNode } from './child-process.ts';

describe('the command line', () => {
  it('shows its help and exits with 2 when no command is given', async () => {
    const { exitCode, stderr } = await runCairn([]);
    expect(exitCode).toBe(2);
    for (const command of ['serve', 'doctor', 'db', 'version'])
      expect(stderr).toMatch(new RegExp(`^ {2}${command}`, 'm'));
  });

  it('says nothing more to whoever stops reading', async () => {
    for (const command of [['serve', '--help'], ['doctor', '--json'], ['version']]) {
      const { child, finished } = startNode(['src/main.ts', ...command]);
      child.stdout?.destroy();
      expect((await finished).stderr).toBe('');
    }
  });

  it('suggests the command or the flag that was meant and exits with 2', async () => {
    const [command, flag] = await Promise.all([runCairn(['sevre']), runCairn(['serve', '--prot', '1'])]);
    expect([command.exitCode, flag.exitCode]).toEqual([2, 2]);
    expect(command.stderr).toContain('(Did you mean serve?)');
    expect(flag.stderr).toContain('(Did you mean --port?)');
  });

  it('has a whole help for every command, with examples and exit codes, and exits with 0', async () => {
    const lines = [
      ['--help'],
      ['serve', '--help'],
      ['doctor', '--help'],
      ['version', '--help'],
      ['db', 'restore', '--help'],
      ['help', 'serve'],
    ];
    for (const { exitCode, stdout } of await Promise.all(lines.map((line) => runCairn(line)))) {
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/Examples:\n {2}\$ cairn [^]*Exit codes:\n {2}0 [^]*\n {2}1 [^]*\n {2}2 /);
    }
  });

  it('keeps the lines of its help within 80 columns where the width of the terminal is unknown', async () => {
    const commands = [
      '',
      'serve',
      'doctor',
      'explain',
      'reindex',
      'login',
      'db backup',
      'db copy',
      'db salvage',
    ].concat(['db restore', 'users reset-password', 'users hash-password', 'secrets rotate']);
    const helps = await Promise.all(
      commands.map((command) => runCairn([...command.split(' ').filter(Boolean), '--help'])),
    );
    const lines = helps.flatMap(({ stdout }) => stdout.split('\n'));
    expect(lines.length).toBeGreaterThan(250);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('says in its help what goes in and out, and how to explain and to reindex', async () => {
    const { stdout } = await runCairn(['--help']);
    expect(stdout).toContain('REST and GraphQL out');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('back up, restore, upgrade, copy, salvage and inspect the data');
    expect(stdout).toMatch(/Examples:[^]*\$ cairn explain [^]*\$ cairn reindex --normalise/);
  });

  it('names the variable and the default of every flag of serve', async () => {
    const { stdout } = await runCairn(['serve', '--help']);
    const text = stdout.replaceAll(/\s+/g, ' ');
    for (const [flag, variable] of [
      ['--host <address>', 'SERVICE_HOST; default: localhost'],
      ['--port <port>', 'SERVICE_PORT; default: 6006'],
      ['--grpc-port <port>', 'SERVICE_GRPC_PORT; default: 4317'],
      ['--data <folder>', 'SERVICE_WORKING_DIR; default: ~/.cairn'],
    ]) {
      expect(text).toContain(flag);
      expect(text).toContain(variable);
    }
  });

  it('offers what a server listens on only where that matters', async () => {
    const [users, doctor] = await Promise.all([
      runCairn(['users', 'reset-password', '--help']),
      runCairn(['doctor', '--help']),
    ]);
    expect(users.stdout).toContain('--data <folder>');
    expect(users.stdout).not.toMatch(/--host|--port|--grpc-port|doctor/);
    expect(doctor.stdout).toMatch(/--host[^]*--port[^]*the doctor found something to fix/);
  });

  it('prints the versions of itself, of Node and of the Phoenix that it answers like', async () => {
    const [command, flag] = await Promise.all([runCairn(['version']), runCairn(['--version'])]);
    expect(command).toEqual({
      exitCode: 0,
      stdout: `cairn ${CAIRN_VERSION}\nnode ${process.versions.node}\ncompatible with Phoenix 20.26.0\n`,
      stderr: '',
    });
    expect(flag.stdout).toBe(`${CAIRN_VERSION}\n`);
  });

  it('lists every problem of the configuration, starts nothing and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await runCairn(['serve', '--port', 'x'], {
      SERVICE_ENABLE_AUTH: 'true',
      PHOENIX_SQL_DATABASE_URL: 'postgresql://u:hunter2@h',
    });
    expect([exitCode, stdout]).toEqual([2, '']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe('Cairn did not start: there are 3 problems in the configuration.');
    expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).toEqual([
      '--port',
      'PHOENIX_SQL_DATABASE_URL',
      'SERVICE_SECRET',
    ]);
    expect(stderr).not.toContain('hunter2');
  });
});
