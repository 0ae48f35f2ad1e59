/** Python with the Phoenix clients, which `npm test` installs in `test/clients/.venv`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CLIENTS = resolve(import.meta.dirname, '../clients');
const REQUIREMENTS = join(CLIENTS, 'requirements.txt');
const FOLDER = join(CLIENTS, '.venv');
const PROGRAM = join(FOLDER, 'bin/python');
/** A copy of the requirements that were installed to the end. */
const INSTALLED = join(FOLDER, 'installed.txt');

/** Older ones are refused by the clients. */
const OLDEST = [3, 10] as const;

/** The program with the clients, or why there is none. */
export type FoundPython = { readonly program: string } | { readonly program: null; readonly reason: string };

/** Looks for it; installs nothing. */
export function findPython(): FoundPython {
  if (isInstalled()) return { program: PROGRAM };
  return { program: null, reason: 'test/clients/requirements.txt is not installed: `npm test` does it' };
}

/** Installs the clients where they are absent or others; why it could not, or `null`. */
export async function installPythonClients(): Promise<string | null> {
  if (isInstalled()) return null;
  const python = process.env['PYTHON'] ?? 'python3';
  const isNewEnough = `import sys; sys.exit(sys.version_info < (${OLDEST.join(', ')}))`;
  if (spawnSync(python, ['-c', isNewEnough]).status !== 0)
    return `${python} is not Python ${OLDEST.join('.')} or newer`;
  rmSync(FOLDER, { recursive: true, force: true });
  const isDone =
    (await succeeds(python, ['-m', 'venv', FOLDER])) &&
    (await succeeds(PROGRAM, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]));
  if (!isDone) return 'pip could not install test/clients/requirements.txt';
  writeFileSync(INSTALLED, readFileSync(REQUIREMENTS));
  return null;
}

function isInstalled(): boolean {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(REQUIREMENTS, 'utf8');
}

async function succeeds(program: string, parameters: readonly string[]): Promise<boolean> {
  const [code] = (await once(spawn(program, parameters, { stdio: 'ignore' }), 'exit')) as [number | null];
  return code === 0;
}
