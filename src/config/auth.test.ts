import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { warnOfInitialPassword } from './auth.ts';
import type { Config } from './config.ts';
import { deriveConfig } from './load.ts';

const SECRET = 'correct-horse-battery-staple-0123';
const OTHER = 'another-horse-battery-staple-4567';
const ON = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET };

function derive(env: Record<string, string>): Config {
  const { config, problems } = deriveConfig(env);
  if (config === null) throw new Error(JSON.stringify(problems));
  return config;
}

function problemsOf(env: Record<string, string>): string[] {
  return deriveConfig(env).problems.map(({ variable, message }) => `${variable} ${message}`);
}

/** A start with these settings, once with authentication and once without. */
const SWITCHES = [['on', ON] as const, ['off', { SERVICE_SECRET: SECRET }] as const];

describe('authentication', () => {
  it('is off until it is turned on, under either name, and then needs the secret', () => {
    expect(derive({}).auth).toMatchObject({ isEnabled: false, secret: null, adminSecret: null, admins: [] });
    for (const name of ['SERVICE_ENABLE_AUTH', 'PHOENIX_ENABLE_AUTH']) {
      expect(problemsOf({ [name]: 'True' })).toEqual([
        `SERVICE_SECRET is unset, and ${name} is true: set it to a long random text, such as the output of \`openssl rand -hex 32\`.`,
      ]);
      const { auth } = derive({ [name]: 'true', PHOENIX_SECRET: SECRET });
      expect([auth.isEnabled, auth.secret?.reveal()]).toEqual([true, SECRET]);
    }
  });

  it('never shows a secret', () => {
    const config = derive({
      ...ON,
      SERVICE_ADMIN_SECRET: OTHER,
      SERVICE_PREVIOUS_SECRET: `${OTHER}-before`,
      SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'hunter2',
    });
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toMatch(/horse|hunter2/);
  });

  it('says every problem at once', () => {
    const { problems, config } = deriveConfig({
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: 'short',
      SERVICE_ADMIN_SECRET: 'short',
      SERVICE_DISABLE_BASIC_AUTH: 'true',
      SERVICE_ADMINS: 'ada',
      SERVICE_COOKIES_PATH: 'traces',
      SERVICE_CSRF_TRUSTED_ORIGINS: 'nonsense',
      SERVICE_TRUSTED_PROXIES: '10.0.0.0/33',
      SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES: '0',
      SERVICE_BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS: '0',
      SERVICE_SMTP_HOSTNAME: 'smtp.example.com',
      SERVICE_SMTP_PORT: '0',
      SERVICE_SMTP_MAIL_FROM: 'nobody',
      SERVICE_METRICS_PORT: 'x',
    });
    expect(config).toBeNull();
    const variables = problems.map(({ variable }) => variable.replace('SERVICE_', ''));
    expect(variables.sort()).toEqual([
      'ACCESS_TOKEN_EXPIRY_MINUTES',
      'ADMINS',
      'ADMIN_SECRET',
      'BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS',
      'COOKIES_PATH',
      'CSRF_TRUSTED_ORIGINS',
      'DISABLE_BASIC_AUTH',
      'METRICS_PORT',
      'SECRET',
      'SMTP_MAIL_FROM',
      'SMTP_PASSWORD',
      'SMTP_PORT',
      'SMTP_USERNAME',
      'TRUSTED_PROXIES',
    ]);
    for (const { message } of problems) expect(message).toMatch(/write |set |needs it|begin with/);
  });

  it('has nobody who could sign in without passwords, for there is no other way', () => {
    expect(problemsOf({ ...ON, SERVICE_DISABLE_BASIC_AUTH: 'true' })).toEqual([
      'SERVICE_DISABLE_BASIC_AUTH is true, and there is no other way to sign in: set it to false, or configure a provider or a directory (LDAP).',
    ]);
    expect(problemsOf({ SERVICE_DISABLE_BASIC_AUTH: 'true' })).toEqual([]);
  });
});

describe.each(SWITCHES)('the secrets, with authentication %s', (_name, settings) => {
  const weak = [
    ['too short', 'a1'.repeat(15)],
    ['without a digit', 'abcdefgh'.repeat(5)],
    ['without a lower-case letter', 'ABCDEFG1'.repeat(5)],
    ['with a space', `abcdefg1 ${'abcdefg1'.repeat(5)}`],
    ['with other characters than those of ASCII', `äbcdefg1${'abcdefg1'.repeat(5)}`],
  ] as const;

  it.each(['SECRET', 'ADMIN_SECRET', 'PREVIOUS_SECRET'])(
    'SERVICE_%s is refused where it is weak, and not shown',
    (name) => {
      for (const [fault, text] of weak) {
        const [problem, ...others] = problemsOf({ ...settings, [`SERVICE_${name}`]: text });
        expect([fault, others]).toEqual([fault, []]);
        expect(problem).toMatch(new RegExp(`^SERVICE_${name} is not accepted: write at least 32 ASCII characters`));
        expect(problem).not.toMatch(/abcdefg|ABCDEFG|a1a1/);
      }
      expect(problemsOf({ ...settings, [`SERVICE_${name}`]: `${'a'.repeat(31)}1` })).toEqual([]);
    },
  );

  it("the administrator's differs from the server's", () => {
    expect(problemsOf({ ...settings, SERVICE_ADMIN_SECRET: SECRET })).toEqual([
      'SERVICE_ADMIN_SECRET is the same as SERVICE_SECRET; set another text.',
    ]);
    expect(derive({ ...settings, SERVICE_ADMIN_SECRET: OTHER }).auth.adminSecret?.reveal()).toBe(OTHER);
  });

  it("the administrator's is not without the server's", () => {
    const problems = problemsOf({ ...settings, SERVICE_SECRET: '', SERVICE_ADMIN_SECRET: OTHER });
    const needed = 'SERVICE_ADMIN_SECRET needs SERVICE_SECRET; set that, or unset this one.';
    expect(problems).toContain(needed);
    const weak = problemsOf({ ...settings, SERVICE_SECRET: '', SERVICE_ADMIN_SECRET: 'weak' });
    expect(weak).toEqual(expect.arrayContaining([needed, expect.stringContaining('ADMIN_SECRET is not accepted')]));
  });
});

describe.each(SWITCHES)('the list of administrators, with authentication %s', (_name, settings) => {
  const listed = (text: string) => derive({ ...settings, SERVICE_ADMINS: text }).auth.admins;
  const refused = (text: string) => problemsOf({ ...settings, SERVICE_ADMINS: text });

  it('splits at the last =, passes over empty entries, and writes addresses in lower case', () => {
    expect(listed(' Ada Lovelace = Ada@Example.com ;; a=b,c=grace@example.com; ')).toEqual([
      { username: 'Ada Lovelace', email: 'ada@example.com' },
      { username: 'a=b,c', email: 'grace@example.com' },
    ]);
  });

  it.each(['ada', 'ada@example.com', '=ada@example.com', 'ada=a@example.com;grace'])('refuses %s', (text) => {
    expect(refused(text)[0]).toMatch(/^SERVICE_ADMINS is .* is not an account; write name=email\.$/);
  });

  it.each([
    'ada=',
    'ada=ada',
    'ada=@example.com',
    'ada=ada@',
    'ada=a@b',
    'ada=a b@example.com',
    'ada=a@b@example.com',
    'ada=a@.com',
    'ada=a@example.com.',
  ])('refuses the address in %s', (text) => {
    expect(refused(text)[0]).toMatch(/^SERVICE_ADMINS is .* has no valid e-mail address; write name=/);
  });

  it.each(['ada=a@example.com;ada=b@example.com', 'ada=a@example.com;grace=A@Example.com'])(
    'refuses the second time in %s',
    (text) => {
      expect(refused(text)[0]).toMatch(/repeats a name or an address; write each once\.$/);
    },
  );
});

describe('the first password', () => {
  it('is admin, or another, or made up', () => {
    const first = (text: string) => derive({ SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: text }).auth.initialAdminPassword;
    expect([first('')?.reveal(), first('x-yz')?.reveal(), first('random')]).toEqual(['admin', 'x-yz', null]);
  });

  it('keeps the rules of all passwords, not the strong ones, and is not shown where it breaks them', () => {
    const strong = { SERVICE_ENABLE_STRONG_PASSWORD_POLICY: 'true' };
    const refused = (text: string) =>
      problemsOf({ ...strong, PHOENIX_DEFAULT_ADMIN_INITIAL_PASSWORD: text }).map((problem) => problem.slice(39));
    expect(refused('hun')).toEqual(['is not accepted: A password needs at least 4 characters.']);
    expect([refused(''), refused('random'), refused('admin')]).toEqual([[], [], []]);
  });

  it('is warned of where everybody knows it and can reach the server', () => {
    const warned = (env: Record<string, string>) => warnOfInitialPassword(derive(env)) !== null;
    const reached = { ...ON, SERVICE_HOST: '0.0.0.0' };
    expect(warnOfInitialPassword(derive(reached))).toContain('SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD=random');
    expect(warned({ ...reached, SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'admin' })).toBe(true);
    expect(warned({ ...reached, SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'other' })).toBe(false);
    expect(warned({ ...reached, SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'random' })).toBe(false);
    expect([warned(ON), warned({ SERVICE_HOST: '0.0.0.0' })]).toEqual([false, false]);
  });
});

describe('signing in', () => {
  const of = (env: Record<string, string>) => derive(env).auth.signIn;
  const MINUTE = 60_000_000;

  it('lasts as the three settings say, in minutes and parts of them', () => {
    expect(of({})).toMatchObject({
      accessTokenUs: 10 * MINUTE,
      refreshTokenUs: 10_080 * MINUTE,
      resetTokenUs: 15 * MINUTE,
    });
    const set = of({
      SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES: '0.5',
      PHOENIX_REFRESH_TOKEN_EXPIRY_MINUTES: '60',
      SERVICE_PASSWORD_RESET_TOKEN_EXPIRY_MINUTES: '1',
    });
    expect(set).toMatchObject({ accessTokenUs: MINUTE / 2, refreshTokenUs: 60 * MINUTE, resetTokenUs: MINUTE });
    for (const name of ['ACCESS_TOKEN', 'REFRESH_TOKEN', 'PASSWORD_RESET_TOKEN']) {
      for (const text of ['0', '-1', '1e3', 'NaN', 'ten']) {
        const [problem] = problemsOf({ [`SERVICE_${name}_EXPIRY_MINUTES`]: text });
        expect(problem).toContain('write a number greater than 0');
      }
    }
  });

  it('ends where the longest time is over, which is longer by itself only where nobody set it', () => {
    expect(of({ SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES: '50000' }).sessionUs).toBe(50_000 * MINUTE);
    const short = of({ SERVICE_SESSION_EXPIRY_MINUTES: '60' });
    expect([short.sessionUs, short.refreshTokenUs]).toEqual([60 * MINUTE, 60 * MINUTE]);
  });

  it('locks an account after as many attempts as are said, or never', () => {
    const attempts = (env: Record<string, string>) => of(env).lockoutAttempts;
    const name = 'SERVICE_BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS';
    expect([attempts({}), attempts({ [name]: '3' })]).toEqual([5, 3]);
    expect(attempts({ [name]: '3', SERVICE_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION: 'true' })).toBeNull();
    expect(problemsOf({ [name]: '0' })).toHaveLength(1);
    expect([of({}).isRateLimited, of({ SERVICE_DISABLE_RATE_LIMIT: 'true' }).isRateLimited]).toEqual([true, false]);
  });

  it('sends cookies over HTTPS alone where people reach the server so, or as it is said', () => {
    const isSecure = (env: Record<string, string>) => of(env).cookies.isSecure;
    expect([isSecure({}), isSecure({ SERVICE_ROOT_URL: 'https://a.example' })]).toEqual([false, true]);
    expect(isSecure({ SERVICE_ROOT_URL: 'https://a.example', SERVICE_USE_SECURE_COOKIES: 'false' })).toBe(false);
    expect(isSecure({ SERVICE_USE_SECURE_COOKIES: 'true' })).toBe(true);
  });

  it('has cookies for a path that begins with a slash and ends no attribute', () => {
    expect([of({}).cookies.path, of({ SERVICE_COOKIES_PATH: '/a/b' }).cookies.path]).toEqual(['/', '/a/b']);
    for (const path of ['traces', './', '/a b', '/a;Secure', '/ä']) {
      expect(problemsOf({ SERVICE_COOKIES_PATH: path })[0]).toContain('begin with a slash');
    }
  });
});

describe('trusted origins', () => {
  const hosts = (text: string) => derive({ SERVICE_CSRF_TRUSTED_ORIGINS: text }).auth.csrfTrustedHosts;

  it('are hosts alone, and nothing is checked while there is none', () => {
    expect([hosts(''), hosts(' , ')]).toEqual([null, null]);
    expect(hosts('https://App.example.com:8443, ,http://127.0.0.1')).toEqual(['app.example.com', '127.0.0.1']);
  });

  it('have a host each', () => {
    const [problem] = problemsOf({ SERVICE_CSRF_TRUSTED_ORIGINS: 'https://a.example,b.example' });
    expect(problem).toMatch(/^SERVICE_CSRF_TRUSTED_ORIGINS is .*: item 2 is not an origin; write only scheme and host/);
    expect(problemsOf({ SERVICE_CSRF_TRUSTED_ORIGINS: '//me:hunter2@host' })[0]).not.toContain('hunter2');
  });
});

describe('trusted proxies', () => {
  const trusts = (text: string, address: string) => {
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    return derive({ SERVICE_TRUSTED_PROXIES: text }).auth.trustedProxies?.check(address, family);
  };

  it('are addresses, networks, or everybody', () => {
    expect(derive({}).auth.trustedProxies).toBeNull();
    expect([trusts('10.0.0.0/8, ::1', '10.9.9.9'), trusts('10.0.0.0/8, ::1', '::1')]).toEqual([true, true]);
    expect([trusts('10.0.0.0/8', '11.0.0.1'), trusts('10.0.0.1', '10.0.0.2')]).toEqual([false, false]);
    expect([trusts('*', '203.0.113.9'), trusts('*', '2001:db8::1')]).toEqual([true, true]);
    for (const text of ['10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/x', 'proxy.example.com']) {
      expect(problemsOf({ SERVICE_TRUSTED_PROXIES: text })[0]).toContain('item 1 is not a network');
    }
  });
});

describe('mail', () => {
  const server = {
    SERVICE_SMTP_HOSTNAME: 'smtp.example.com',
    PHOENIX_SMTP_USERNAME: 'cairn',
    SERVICE_SMTP_PASSWORD: 'hunter2',
    SERVICE_ROOT_URL: 'https://cairn.example.com',
  };

  it('is off without a server, whatever else is set', () => {
    expect(derive({}).mail).toBeNull();
    expect(derive({ ...server, SERVICE_SMTP_HOSTNAME: '' }).mail).toBeNull();
  });

  it('goes to port 587 with a checked certificate, from an address at the host of the server', () => {
    const { mail } = derive(server);
    expect(mail).toMatchObject({
      hostname: 'smtp.example.com',
      port: 587,
      isTlsImplicit: false,
      username: 'cairn',
      from: 'cairn@cairn.example.com',
      isVerified: true,
    });
    expect(inspect(mail)).not.toContain('hunter2');
    const set = {
      SERVICE_SMTP_PORT: '465',
      SERVICE_SMTP_VALIDATE_CERTS: 'false',
      SERVICE_SMTP_MAIL_FROM: 'C <c@example.com>',
    };
    expect(derive({ ...server, ...set }).mail).toMatchObject({
      port: 465,
      isTlsImplicit: true,
      isVerified: false,
      from: 'C <c@example.com>',
    });
  });

  it('needs a name and a password', () => {
    expect(problemsOf({ SERVICE_SMTP_HOSTNAME: 'smtp.example.com' })).toEqual([
      'SERVICE_SMTP_USERNAME is unset, and SERVICE_SMTP_HOSTNAME needs it to log in.',
      'SERVICE_SMTP_PASSWORD is unset, and SERVICE_SMTP_HOSTNAME needs it to log in.',
    ]);
  });

  it('refuses what is no host, no port and no address', () => {
    for (const [name, texts] of [
      ['HOSTNAME', ['smtp://a', 'a:25', 'a b']],
      ['PORT', ['0', '65536', 'x']],
      [
        'MAIL_FROM',
        ['nobody', 'a@b', 'Ada ada@example.com', 'a@example.com, b@example.com', 'A <a@b>', 'A <a@example.com> x'],
      ],
      ['VALIDATE_CERTS', ['no']],
    ] as const) {
      for (const text of texts) {
        const problems = problemsOf({ ...server, [`SERVICE_SMTP_${name}`]: text });
        expect([text, problems.length, problems[0]]).toEqual([
          text,
          1,
          expect.stringContaining(`SERVICE_SMTP_${name} is `),
        ]);
      }
    }
  });

  it('warns where links have no address, and where pages of others are not refused', () => {
    const warnings = (env: Record<string, string>) =>
      deriveConfig(env).warnings.map((text) => /SERVICE_\w+/.exec(text.replace('Mail is configured, and ', ''))?.[0]);
    expect(warnings({ ...server, SERVICE_ROOT_URL: '' })).toEqual(['SERVICE_ROOT_URL']);
    expect(warnings({ ...ON, ...server })).toEqual(['SERVICE_CSRF_TRUSTED_ORIGINS']);
    expect(warnings({ ...ON, ...server, SERVICE_CSRF_TRUSTED_ORIGINS: 'https://a.example' })).toEqual([]);
  });
});

it('warns of settings that protect less than they seem to', () => {
  const warned = (env: Record<string, string>) => deriveConfig(env).warnings.map((text) => text.split(' ', 1)[0]);
  const { SERVICE_ENABLE_AUTH: _, ...off } = ON;
  const secrets = {
    SERVICE_ADMIN_SECRET: `${'another-secret-'.repeat(3)}1`,
    SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'x-yz',
  };
  expect(warned({ ...off, ...secrets })).toEqual(Object.keys(secrets));
  expect(warned({ ...ON, ...secrets })).toEqual([]);
  expect(warned({ ...ON, SERVICE_HOST: '0.0.0.0' })).toEqual(['SERVICE_HOST']);
  expect(warned({ ...ON, SERVICE_HOST: '0.0.0.0', SERVICE_ROOT_URL: 'http://cairn.example' })).toEqual([
    'SERVICE_HOST',
  ]);
  expect(warned({ ...ON, SERVICE_HOST: '0.0.0.0', SERVICE_ROOT_URL: 'https://cairn.example' })).toEqual([]);
  const tls = new URL('../../test/fixtures/tls/', import.meta.url).pathname;
  const encrypted = {
    SERVICE_TLS_ENABLED_FOR_HTTP: 'true',
    SERVICE_TLS_CERT_FILE: `${tls}server-certificate.pem`,
    SERVICE_TLS_KEY_FILE: `${tls}server-key.pem`,
  };
  expect(warned({ ...ON, ...encrypted, SERVICE_HOST: '0.0.0.0' })).toEqual([]);
  for (const [proxies, isWarned] of [
    ['*', true],
    ['10.0.0.1, 0.0.0.0/0', true],
    ['::/0', true],
    ['10.0.0.0/8, ::1', false],
  ] as const) {
    const expected = isWarned ? ['SERVICE_TRUSTED_PROXIES'] : [];
    expect([proxies, warned({ ...ON, SERVICE_TRUSTED_PROXIES: proxies })]).toEqual([proxies, expected]);
  }
});
