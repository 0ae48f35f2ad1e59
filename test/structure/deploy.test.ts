/** The files of docs/deploy/ agree with the program: its settings, its ports, its routes, and with one another. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from '#config/env';
import { PREFIX } from '#config/variable';
import { deriveConfig } from '#config/load';
import { environmentOf, readStages, textsOf } from '../harness/dockerfile.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'docs/deploy');
const FILES = globSync('**/*.*', { cwd: DEPLOY }).concat('Dockerfile');
const IMAGE = readStages(new URL('../../docs/deploy/Dockerfile', import.meta.url));
const IMAGE_ENVIRONMENT = environmentOf(IMAGE.at(-1));
const PORTS = [Number(IMAGE_ENVIRONMENT['SERVICE_PORT']), Number(IMAGE_ENVIRONMENT['SERVICE_GRPC_PORT'])];
const DATA = IMAGE_ENVIRONMENT['SERVICE_WORKING_DIR'];

function read(file: string): string {
  return readFileSync(join(DEPLOY, file), 'utf8');
}

/** What a start would say of these settings, but for what it says of every server that others reach. */
function complaintsAbout(environment: Readonly<Record<string, string>>): readonly unknown[] {
  const { problems, warnings } = deriveConfig(environment);
  return [...problems, ...warnings.filter((warning) => !warning.includes('authentication is off'))];
}

describe('docs/deploy/', () => {
  it.each(FILES)('%s is told of in its README', (file) => {
    expect(file === 'README.md' || read('README.md').includes(file)).toBe(true);
  });

  it.each(FILES)('%s names settings that there are', (file) => {
    const known = new Set(Object.values(variables).map(({ name }) => `${PREFIX}${name}`));
    const names = read(file).match(/\bSERVICE_[A-Z_]+\b/g) ?? [];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the image', () => {
  it('starts without a complaint, and keeps its data in its volume', () => {
    expect(complaintsAbout(IMAGE_ENVIRONMENT)).toEqual([]);
    expect(textsOf(IMAGE.at(-1), 'VOLUME')).toEqual([DATA]);
    expect(textsOf(IMAGE.at(-1), 'EXPOSE')).toEqual([PORTS.join(' ')]);
  });

  it('has the Node that the package asks for in every stage, and copies what a stage before it made', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    const [, major] = /^>=(\d+)\./.exec(engines.node) ?? [];
    const bases = IMAGE.map((stage) => textsOf(stage, 'FROM')[0]?.replace(/ AS \w+$/, ''));
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(new RegExp(`^node:${major}-`));
    const [, made] = /install\.sh \S+ (\S+)$/.exec(textsOf(IMAGE[0], 'RUN').at(-1) ?? '') ?? [];
    expect(textsOf(IMAGE.at(-1), 'COPY')).toEqual([`--from=build ${made} ${made}`]);
  });
});

interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes?: readonly string[];
  readonly build: { readonly context: string; readonly dockerfile: string };
}

describe.each(['compose.yaml', 'compose.postgresql.yaml'])('%s', (file) => {
  const { services, volumes } = parse(read(file)) as {
    services: Readonly<Record<string, ComposeService>>;
    volumes: object;
  };
  const cairn = services['cairn'] as ComposeService;

  it('starts Cairn without a complaint, on ports that only this machine reaches', () => {
    expect(complaintsAbout({ ...IMAGE_ENVIRONMENT, ...cairn.environment })).toEqual([]);
    expect(cairn.ports).toEqual(PORTS.map((port) => `127.0.0.1:${port}:${port}`));
  });

  it('builds the image of this checkout, and keeps the data in a volume', () => {
    expect(join(DEPLOY, cairn.build.context, cairn.build.dockerfile)).toBe(join(DEPLOY, 'Dockerfile'));
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(mounted.map((mount) => mount.split(':')[0])).toEqual(Object.keys(volumes));
    const host = cairn.environment['SERVICE_POSTGRES_HOST'];
    if (host === undefined) expect(cairn.volumes).toEqual([`data:${DATA}`]);
    else expect(Object.keys(services)).toContain(host);
  });
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly serviceName?: string;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: object;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

describe.each(['kubernetes/file.yaml', 'kubernetes/postgresql.yaml'])('%s', (file) => {
  const documents = parseAllDocuments(read(file)).map((document) => document.toJS({}) as unknown);
  const [service, workload] = documents as [Service, Workload];
  const { template, volumeClaimTemplates = [], ...set } = workload.spec;
  const [container] = template.spec.containers;

  it('starts Cairn without a complaint, as the user of the image', () => {
    const given = container.env.map(({ name, value }) => [name, value ?? 'postgresql://cairn:secret@db.example/cairn']);
    expect(complaintsAbout({ ...IMAGE_ENVIRONMENT, ...Object.fromEntries(given) })).toEqual([]);
    const { runAsUser, runAsGroup } = template.spec.securityContext;
    expect(textsOf(IMAGE.at(-1), 'USER')).toEqual([`${runAsUser}:${runAsGroup}`]);
  });

  it('asks routes that there are, at ports that there are', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: object };
    const names = container.ports.map(({ name }) => name);
    for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
      expect(Object.keys(paths)).toContain(httpGet.path);
      expect(httpGet.port).toBe(names[0]);
    }
    expect(container.ports.map(({ containerPort }) => containerPort)).toEqual(PORTS);
    expect(service.spec.ports.map(({ port }) => port)).toEqual(PORTS);
    expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(names);
  });

  it('selects its own pods, and has every volume that it mounts, the one for the data among them', () => {
    expect(documents).toHaveLength(2);
    expect([set.selector.matchLabels, service.spec.selector]).toEqual([
      template.metadata.labels,
      template.metadata.labels,
    ]);
    const volumes = [...template.spec.volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)];
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
    expect(container.volumeMounts[0]?.mountPath).toBe(DATA);
  });

  it('has one server on a file, and several on PostgreSQL', () => {
    const isOnFile = !container.env.some(({ name }) => name === 'SERVICE_SQL_DATABASE_URL');
    expect([workload.kind, set.replicas, set.serviceName, volumeClaimTemplates.length]).toEqual(
      isOnFile ? ['StatefulSet', 1, service.metadata.name, 1] : ['Deployment', 2, undefined, 0],
    );
  });
});

describe('cairn.service', () => {
  it('starts Cairn without a complaint, with data and cache in folders that systemd makes for it', () => {
    const lines = read('cairn.service').split('\n');
    const valuesOf = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
    const environment = Object.fromEntries(valuesOf('Environment').map((text) => text.split('=')));
    expect(complaintsAbout(environment)).toEqual([]);
    expect(environment).toEqual({
      SERVICE_WORKING_DIR: `/var/lib/${valuesOf('StateDirectory')}`,
      XDG_CACHE_HOME: `/var/cache/${valuesOf('CacheDirectory')}`,
    });
  });
});

describe.each(FILES.filter((file) => file.startsWith('proxies/')))('%s', (file) => {
  const text = read(file);

  it('says settings that fit one another', () => {
    const environment = Object.fromEntries(
      [...text.matchAll(/(SERVICE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(Object.keys(environment)).toContain('SERVICE_ROOT_URL');
    expect(complaintsAbout(environment)).toEqual([]);
    for (const path of text.match(/(?<=[\s^])\/tools\/cairn/g) ?? []) {
      expect(path).toBe(environment['SERVICE_HOST_ROOT_PATH']);
    }
  });

  it('goes to the ports at which Cairn listens unless told otherwise', () => {
    const ports = [...text.matchAll(/(?:127\.0\.0\.1|10\.0\.0\.\d+):(\d+)/g)].map(([, port]) => Number(port));
    expect(new Set(ports)).toEqual(new Set([variables.port.default, variables.grpcPort.default].map(Number)));
  });
});
