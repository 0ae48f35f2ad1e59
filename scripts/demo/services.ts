import { readContent } from './content.ts';
import type { AttributeMap, Resource } from './otlp.ts';
import type { Random } from './random.ts';

/** The program that runs for a project. A new version goes out every Monday and Wednesday. */
interface Service {
  readonly name: string;
  readonly language: 'python' | 'nodejs';
  readonly region: string;
  readonly instances: number;
}

type ProjectName = 'support-chat' | 'quality-review' | 'coding-agent' | 'travel-assistant';

const SERVICES = readContent<Readonly<Record<ProjectName, Service>>>('services');
const RESOURCES = new Map<string, Resource>();
const SDK_VERSION = { python: '1.38.0', nodejs: '2.2.0' };

/** The resource that one of the project's processes has at a time; the same object whenever it is the same process. */
export function resourceAt(project: ProjectName, random: Random, timeMs: number): Resource {
  const service = SERVICES[project];
  const instance = random.int(1, service.instances);
  const version = versionAt(timeMs);
  const host = `${service.name}-${instance}`;
  const key = `${host} ${version}`;
  const known = RESOURCES.get(key);
  if (known !== undefined) return known;
  const attributes: AttributeMap = {
    'openinference.project.name': project,
    'service.name': service.name,
    'service.version': version,
    'service.instance.id': host,
    'deployment.environment.name': 'production',
    'cloud.region': service.region,
    'telemetry.sdk.language': service.language,
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': SDK_VERSION[service.language],
    'process.pid': 6 + instance,
  };
  const resource = { attributes };
  RESOURCES.set(key, resource);
  return resource;
}

/** Year, week and the release of the week, such as 26.47.2. */
function versionAt(timeMs: number): string {
  const date = new Date(timeMs);
  const dayOfYear = Math.floor((timeMs - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
  const release = date.getUTCDay() >= 1 && date.getUTCDay() < 3 ? 1 : 2;
  return `${date.getUTCFullYear() % 100}.${Math.floor(dayOfYear / 7) + 1}.${release}`;
}
