/** Reverse proxies in processes of their own, with the files of docs/deploy/proxies/ as they are, but for names, ports and certificates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';

/** How Cairn is reached: under a name of its own, or below a path of another site. */
export type Form = 'name' | 'subPath';

/** A program that can stand before Cairn. */
export interface ProxyKind {
  readonly name: string;
  /** Where it is on this machine; `undefined` where it is not. */
  readonly program: string | undefined;
  /** In docs/deploy/proxies/. */
  readonly files: Readonly<Record<Form, string>>;
  /** The whole configuration around such a file. */
  readonly surround: (text: string, form: Form) => string;
  /** `folder` has the configuration as `config` and is where everything else may go. */
  readonly args: (folder: string) => readonly string[];
}

/** A server that stands behind a proxy. */
export interface Backend {
  readonly httpPort: number;
  readonly grpcAddress: string;
}

/** Where the proxy listens, and what stands behind it. */
export interface Route extends Backend {
  readonly port: number;
}

/** What a site answers that has Cairn below a path. */
export const OTHER_SITE = 'what else the site serves';

/** Starts a proxy that speaks TLS as `localhost`, and waits until it does. */
export function startProxy(kind: ProxyKind, form: Form, { port, httpPort, grpcAddress }: Route) {
  const config = kind
    .surround(readProxyFile(kind.files[form]), form)
    .replaceAll('127.0.0.1:6006', `127.0.0.1:${httpPort}`)
    .replaceAll('127.0.0.1:4317', grpcAddress);
  return start(kind, config, port);
}

/** The same with several servers behind it, as many as the file names; answers over HTTP say in the header {@link SERVED_BY} which of them gave them. */
export function startBalancer(port: number, backends: readonly Backend[]): Promise<AsyncDisposable> {
  let text = readProxyFile('nginx-several-servers.conf');
  for (const [place, { httpPort, grpcAddress }] of backends.entries()) {
    text = text
      .replaceAll(`10.0.0.1${place + 1}:6006`, `127.0.0.1:${httpPort}`)
      .replaceAll(`10.0.0.1${place + 1}:4317`, grpcAddress);
  }
  return start(NGINX, NGINX.surround(`add_header ${SERVED_BY} $upstream_addr always; ${text}`, 'name'), port);
}

/** Holds an address, or where the first one did not answer all that were tried. */
export const SERVED_BY = 'x-served-by';

/** Whether {@link startBalancer} can be called. */
export const hasBalancer = (): boolean => NGINX.program !== undefined;

async function start(kind: ProxyKind, config: string, port: number): Promise<AsyncDisposable> {
  const folder = createTestFolder('proxy');
  writeFileSync(join(folder, 'config'), fit(config, port));
  const log = openSync(join(folder, 'log'), 'a');
  const proxy = spawn(kind.program ?? '', kind.args(folder), {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const endWithUs = () => proxy.kill('SIGKILL');
  process.once('exit', endWithUs);
  const stop = async () => {
    if (proxy.exitCode === null && proxy.signalCode === null) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    process.off('exit', endWithUs);
    removeTestFolder(folder);
  };
  try {
    await untilItListens(proxy, port);
  } catch (error) {
    const said = readFileSync(join(folder, 'log'), 'utf8');
    await stop();
    throw new Error(`${kind.name} did not start:\n${said}`, { cause: error });
  }
  return { [Symbol.asyncDispose]: stop };
}

async function untilItListens(proxy: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (proxy.exitCode !== null) throw new Error(`it ended with ${proxy.exitCode}`);
    const answer = await fetch(`https://localhost:${port}/`).catch(() => undefined); // nobody listens yet
    if (answer !== undefined) return;
    await delay(20);
  }
  throw new Error('it did not answer in time');
}

const START_TIMEOUT_MS = 10_000;
const PROXIES = new URL('../../docs/deploy/proxies/', import.meta.url);

function readProxyFile(name: string): string {
  return readFileSync(new URL(name, PROXIES), 'utf8');
}

function fit(config: string, port: number): string {
  return config
    .replaceAll(/\b443\b/g, String(port))
    .replaceAll('/etc/ssl/cairn.example.com.pem', certificate('server-certificate.pem'))
    .replaceAll('/etc/ssl/cairn.example.com.key', certificate('server-key.pem'))
    .replaceAll(/(?:cairn\.)?example\.com/g, 'localhost');
}

function certificate(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** System programs are not on everybody's PATH. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const NGINX: ProxyKind = {
  name: 'nginx',
  program: findProgram('nginx'),
  files: { name: 'nginx.conf', subPath: 'nginx-sub-path.conf' },
  surround: (text, form) => `
    daemon off;
    master_process off;
    pid pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      ${
        form === 'name'
          ? text
          : `server {
              listen 443 ssl http2;
              ssl_certificate /etc/ssl/cairn.example.com.pem;
              ssl_certificate_key /etc/ssl/cairn.example.com.key;
              location / { return 200 '${OTHER_SITE}'; }
              ${text}
            }`
      }
    }`,
  args: (folder) => ['-p', folder, '-c', 'config', '-e', 'stderr'],
};

const CADDY: ProxyKind = {
  name: 'Caddy',
  program: findProgram('caddy'),
  files: { name: 'caddy.conf', subPath: 'caddy-sub-path.conf' },
  surround: (text) => `{
      admin off
      auto_https off
    }
    ${text.replace(
      /^(\S*example\.com) \{/m,
      (_, name) => `https://${name}:443 {
        bind 127.0.0.1 ::1
        tls /etc/ssl/cairn.example.com.pem /etc/ssl/cairn.example.com.key`,
    )}`,
  args: () => ['run', '--config', 'config', '--adapter', 'caddyfile'],
};

const APACHE: ProxyKind = {
  name: 'Apache',
  program: findProgram('apache2'),
  files: { name: 'apache.conf', subPath: 'apache-sub-path.conf' },
  surround: (text, form) => `
    ServerName localhost
    Listen 127.0.0.1:443
    PidFile pid
    ErrorLog /dev/stderr
    Mutex file:.
    User nobody
    Group nogroup
    ${['mpm_event', 'authz_core', 'alias', 'ssl', 'http2', 'proxy', 'proxy_http', 'proxy_http2']
      .map(
        (name) =>
          `LoadModule ${name}_module ${join(dirname(APACHE.program ?? ''), '../lib/apache2/modules')}/mod_${name}.so`,
      )
      .join('\n')}
    ${
      form === 'name'
        ? text
        : `DocumentRoot .
          SSLEngine on
          SSLCertificateFile /etc/ssl/cairn.example.com.pem
          SSLCertificateKeyFile /etc/ssl/cairn.example.com.key
          RedirectMatch 404 ^/$
          ErrorDocument 404 "${OTHER_SITE}"
          ${text}`
    }`,
  args: (folder) => ['-d', folder, '-f', 'config', '-DFOREGROUND'],
};

/** The programs with a file in docs/deploy/proxies/. */
export const PROXY_KINDS: readonly ProxyKind[] = [NGINX, CADDY, APACHE];
