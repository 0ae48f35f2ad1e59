import type { AttributeMap, Resource } from './otlp.ts';

/** What a process says about itself. A new version goes out every Monday and Wednesday. */
interface Service {
  readonly project: string;
  readonly name: string;
  readonly language: 'python' | 'nodejs';
  readonly region: string;
  readonly instances: number;
}

export const SUPPORT_SERVICE: Service = {
  project: 'support-chat',
  name: 'juniper-api',
  language: 'python',
  region: 'eu-west-1',
  instances: 3,
};
export const REVIEW_SERVICE: Service = {
  project: 'quality-review',
  name: 'quality-judge',
  language: 'python',
  region: 'eu-west-1',
  instances: 1,
};
export const CODING_SERVICE: Service = {
  project: 'coding-agent',
  name: 'patchwork-runner',
  language: 'nodejs',
  region: 'us-east-1',
  instances: 4,
};
export const INGESTION_SERVICE: Service = {
  project: 'document-ingestion',
  name: 'library-worker',
  language: 'python',
  region: 'europe-west4',
  instances: 2,
};
export const SEARCH_SERVICE: Service = {
  project: 'document-ingestion',
  name: 'library-search',
  language: 'python',
  region: 'europe-west4',
  instances: 2,
};
export const TRAVEL_SERVICE: Service = {
  project: 'travel-assistant',
  name: 'wayfarer-chat',
  language: 'nodejs',
  region: 'europe-west1',
  instances: 2,
};

const RESOURCES = new Map<string, Resource>();
const SDK_VERSION = { python: '1.38.0', nodejs: '2.2.0' };

/** The resource of one instance at a time; the same object whenever it is the same process. */
export function resourceAt(service: Service, instance: number, timeMs: number): Resource {
  const version = versionAt(timeMs);
  const host = `${service.name}-${(instance % service.instances) + 1}`;
  const key = `${host} ${version}`;
  const known = RESOURCES.get(key);
  if (known !== undefined) return known;
  const attributes: AttributeMap = {
    'openinference.project.name': service.project,
    'service.name': service.name,
    'service.version': version,
    'service.instance.id': host,
    'deployment.environment.name': 'production',
    'cloud.region': service.region,
    'telemetry.sdk.language': service.language,
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': SDK_VERSION[service.language],
    'process.pid': 7 + (instance % service.instances),
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
