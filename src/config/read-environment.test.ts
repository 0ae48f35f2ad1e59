import { describe, expect, it } from 'vitest';
import { variables } from './env.ts';
import { providerVariables } from './provider-variables.ts';
import { PREFIX, type Variable } from './variable.ts';
import { readEnvironment } from './read-environment.ts';
import { Refusal } from './values.ts';

const read = (env: Record<string, string>, flags: Record<string, string> = {}) => readEnvironment(env, flags);

describe('the table of variables', () => {
  const entries: readonly Variable<unknown>[] = [...Object.values(variables), ...Object.values(providerVariables)];

  it('lists no name, alias or flag twice', () => {
    const names = entries.flatMap((entry) => [PREFIX + entry.name, entry.alias ?? [], entry.flag ?? []].flat());
    expect(names).toEqual([...new Set(names)]);
  });

  it('has defaults that its own types accept, or says what holds without one', () => {
    for (const entry of entries) {
      const hasDefault = entry.default !== undefined;
      expect([entry.name, hasDefault]).toEqual([entry.name, entry.unsetMeaning === undefined]);
      if (hasDefault) expect(entry.type.parse(entry.default ?? '')).not.toBeInstanceOf(Refusal);
    }
  });
});

describe('reading the environment', () => {
  it('gives the defaults when nothing is set', () => {
    const { values, problems, warnings } = read({});
    expect([problems, warnings]).toEqual([[], []]);
    expect([values.host, values.port, values.grpcPort, values.otlpHttpPort]).toEqual([
      'localhost',
      6006,
      4317,
      undefined,
    ]);
    expect([values.otlpMaxBytes, values.isAuthEnabled, values.loggingLevel]).toEqual([undefined, false, 'info']);
  });

  it('takes empty and blank text as unset, for every variable', () => {
    const names = Object.values<Variable<unknown>>(variables).map((entry) => PREFIX + entry.name);
    for (const blank of ['', ' \t ']) {
      const { values, problems, warnings } = read(Object.fromEntries(names.map((name) => [name, blank])));
      expect([problems, warnings]).toEqual([[], []]);
      expect(values.port).toBe(6006);
    }
  });

  it('shows a value that it refuses on one line, without the password of an address', () => {
    const { problems } = read({
      SERVICE_ROOT_URL: 'ftp://me:hunter2@host/',
      SERVICE_ALLOWED_ORIGINS: 'https://ok.example, https://me:hunter3@host',
      SERVICE_ALLOWED_HOSTS: 'x\ny\u001b[31m',
    });
    const shown = problems.map(({ message }) => message);
    expect(shown).toHaveLength(3);
    expect(shown.join('')).not.toMatch(/hunter|\p{Cc}/u);
    expect(shown).toContainEqual(expect.stringContaining('item 2 is not an origin'));
  });

  it.each([
    'ftp://me:hun/ter@2@host/x',
    'https://host/?password=hunter2',
    'https://host?a=1&token=hunter2#hunter2',
    'https://me@host/#hunter2',
  ])('shows neither the user nor the query of %s', (url) => {
    const names = ['ROOT_URL', 'MANAGEMENT_URL', 'ALLOWED_ORIGINS', 'HOST_ROOT_PATH', 'HOST', 'PORT', 'LOGGING_MODE'];
    const { problems } = read(Object.fromEntries(names.map((name) => [PREFIX + name, url])));
    expect(problems.map(({ variable }) => variable).sort()).toEqual(names.map((name) => PREFIX + name).sort());
    expect(JSON.stringify(problems)).not.toMatch(/hun|ter@2|ter2/);
  });

  it('shows nothing of a secret that it refuses', () => {
    for (const [key, variable] of Object.entries<Variable<unknown>>(variables)) {
      if (variable.isSecret !== true) continue;
      const { problems } = read({ [PREFIX + variable.name]: 'hunter2 hunter3' });
      expect([key, JSON.stringify(problems)]).toEqual([key, expect.not.stringContaining('hunter')]);
    }
  });

  it('strips white space around a value', () => {
    expect(read({ SERVICE_PORT: ' 7000 ' }).values.port).toBe(7000);
  });

  it('lists every problem at once, by the names that the user wrote', () => {
    const { problems } = read(
      { SERVICE_GRPC_PORT: '70000', PHOENIX_ENABLE_AUTH: 'yes', SERVICE_LOGGING_LEVEL: 'loud' },
      { '--port': 'http' },
    );
    expect(problems.map((problem) => problem.variable)).toEqual([
      '--port',
      'SERVICE_GRPC_PORT',
      'PHOENIX_ENABLE_AUTH',
      'SERVICE_LOGGING_LEVEL',
    ]);
    expect(problems[2]?.message).toBe('is "yes": write true or false.');
  });

  it('explains the port that Kubernetes injects', () => {
    const [problem] = read({ PHOENIX_PORT: 'tcp://10.0.0.7:6006' }).problems;
    expect(problem?.variable).toBe('PHOENIX_PORT');
    expect(problem?.message).toMatch(/Kubernetes .* enableServiceLinks: false/);
    expect(read({ PHOENIX_PORT: 'tcp://10.0.0.7:6006', SERVICE_PORT: '6006' }).problems).toEqual([]);
  });

  it('shows a refused value as one short line', () => {
    const [problem] = read({ SERVICE_PORT: `1\n\u001b[2J${'9'.repeat(5000)}` }).problems;
    expect(problem?.message).not.toMatch(/[\n\u001b]/);
    expect(problem?.message.length).toBeLessThan(250);
  });
});

describe('names', () => {
  it("accepts Phoenix's name of the same meaning", () => {
    const { values, warnings } = read({ PHOENIX_PORT: '7007' });
    expect([values.port, warnings]).toEqual([7007, []]);
  });

  it('prefers the SERVICE_ name and warns when the two differ', () => {
    const { values, warnings } = read({ PHOENIX_PORT: '7007', SERVICE_PORT: '7008' });
    expect(values.port).toBe(7008);
    expect(warnings).toEqual(['SERVICE_PORT and PHOENIX_PORT differ; SERVICE_PORT is used.']);
    expect(read({ PHOENIX_PORT: '7008', SERVICE_PORT: '7008' }).warnings).toEqual([]);
  });

  it('lets an empty SERVICE_ name fall through to the alias', () => {
    expect(read({ PHOENIX_PORT: '7007', SERVICE_PORT: '' }).values.port).toBe(7007);
  });

  it('prefers a flag over both, without a word about them', () => {
    const { values, spelling, warnings } = read({ SERVICE_PORT: '7008', PHOENIX_PORT: '1' }, { '--port': '7009' });
    expect([values.port, spelling.port, warnings]).toEqual([7009, '--port', []]);
  });

  it('warns about an unknown SERVICE_ name with the nearest known one', () => {
    expect(read({ SERVICE_PROT: '1' }).warnings).toEqual([
      'SERVICE_PROT is not a known variable and has no effect. Did you mean SERVICE_PORT?',
    ]);
    expect(read({ SERVICE_SQL_DATABSE_URL: '1' }).warnings[0]).toContain('SERVICE_SQL_DATABASE_URL?');
  });

  it('suggests nothing for a name that resembles none, however long', () => {
    expect(read({ SERVICE_XYZZY_QUUX: '1' }).warnings).toEqual([
      'SERVICE_XYZZY_QUUX is not a known variable and has no effect.',
    ]);
    expect(read({ [`SERVICE_${'PORT'.repeat(100_000)}`]: '1' }).warnings).toHaveLength(1);
  });

  it('says which settings of a Phoenix deployment do nothing, and passes over names of its clients', () => {
    const env = {
      PHOENIX_SUPPORT_EMAIL: 's',
      SERVICE_OAUTH2_GRANT_EXPIRY_DAYS: '9',
      SERVICE_OAUTH2_DEX_CLIENT_ASSERTION_FILE: 'x',
      PHOENIX_COLLECTOR_ENDPOINT: 'u',
      PHOENIX_API_KEY: 'k',
    };
    expect(read(env).warnings).toEqual([
      'PHOENIX_SUPPORT_EMAIL has no effect: this version does not have that setting.',
      'SERVICE_OAUTH2_DEX_CLIENT_ASSERTION_FILE has no effect: this version does not have that setting.',
    ]);
  });
});
