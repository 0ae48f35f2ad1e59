/** Writes docs/openapi.json from the route table: `node scripts/generate-openapi.ts`. */
import { writeFileSync } from 'node:fs';
import { createRouteTable, describeApi, type RouteParts } from '#server/route-table';

export const OPENAPI_URL = new URL('../docs/openapi.json', import.meta.url);

/** The text of docs/openapi.json. */
export async function formatOpenApi(): Promise<string> {
  // Routes use their parts only when they are asked, and nobody asks these.
  const routes = await createRouteTable(UNUSED);
  return `${JSON.stringify(describeApi(routes), null, 2)}\n`;
}

/** Only what is called sooner is looked into. */
const UNUSED = { services: {}, state: {} } as RouteParts;

if (import.meta.main) writeFileSync(OPENAPI_URL, await formatOpenApi());
