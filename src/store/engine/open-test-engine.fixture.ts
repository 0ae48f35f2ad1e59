/** A database of a test's own, at the schema of this version, on the engine that the tests run for. */
import { onTestFinished } from 'vitest';
import { TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import { openPostgresTestEngine, openPostgresTestEngines } from './open-postgres-test-engine.fixture.ts';
import { openSqliteTestEngine, openSqliteTestEngines } from '../sqlite/open-test-engine.fixture.ts';
import type { TestEngine, TestEngines } from './test-engine.fixture.ts';

/** Opens it: SQLite in memory, or PostgreSQL where `CAIRN_TEST_ENGINE` says `postgres`. */
export async function openTestEngine(): Promise<TestEngine> {
  const opened = await (TEST_ENGINE === 'postgres' ? openPostgresTestEngine() : openSqliteTestEngine());
  let closed: Promise<void> | undefined;
  const engine = {
    ...opened,
    close: () => {
      closed ??= opened.close();
      return closed;
    },
  };
  closeAfterTest(engine);
  return engine;
}

/** Opens a database for writing and for reading. */
export function openTestEngines(): Promise<TestEngines> {
  return TEST_ENGINE === 'postgres' ? openPostgresTestEngines() : openSqliteTestEngines();
}

function closeAfterTest(engine: TestEngine): void {
  try {
    onTestFinished(() => engine.close());
  } catch {
    // Opened for all tests of a file, which close it themselves.
  }
}
