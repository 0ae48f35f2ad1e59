/** Which tests hold on every engine: those that open the engine of the run, themselves or by a fixture. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** What opens it. */
const ROOTS = ['open-test-engine', 'statement-recorder'].map((name) =>
  join(ROOT, `src/store/engine/${name}.fixture.ts`),
);

/**
 * Paths of those beside the source. A test of what SQLite alone has says so in its name; one that asks for PostgreSQL itself
 * has it in each run.
 */
export function listEngineTests(): string[] {
  const known = new Map(ROOTS.map((path) => [path, true]));
  return globSync('src/**/*.test.ts', { cwd: ROOT, exclude: ['**/*.sqlite.test.ts'] }).filter((path) => {
    const whole = join(ROOT, path);
    return reachesEngine(whole, known) && !readFileSync(whole, 'utf8').includes('describePostgres');
  });
}

function reachesEngine(path: string, known: Map<string, boolean>): boolean {
  const found = known.get(path);
  if (found !== undefined) return found;
  known.set(path, false);
  const reaches = listFixtures(path).some((fixture) => reachesEngine(fixture, known));
  known.set(path, reaches);
  return reaches;
}

/** The fixtures that a file imports. */
function listFixtures(path: string): readonly string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/ from '([.#][^']*fixture(?:\.ts)?)'/g);
  return Array.from(imports, ([, name = '']) =>
    name.startsWith('#') ? join(ROOT, `src/${name.slice(1)}.ts`) : join(dirname(path), name),
  ).filter((fixture) => existsSync(fixture));
}
