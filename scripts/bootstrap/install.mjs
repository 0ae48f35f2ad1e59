// Installs what a lockfile says, when what lies in node_modules is something else.
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, announce, fail, runStep } from './run.mjs';

/**
 * Installs the packages of `folder` with `npm ci`, or does nothing when they are there; tells which. Install scripts never
 * run: nothing here needs one. Call it with the Node that will use the packages first on PATH, since npm leaves out optional packages
 * (native bindings) whose `engines` exclude the Node it runs on.
 */
export function ensureInstalled(folder) {
  if (isInstalled(folder)) return false;
  refuseLink(join(folder, 'node_modules'));
  announce(`installing ${relative(ROOT, folder) || 'dependencies'} (npm ci)`);
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--loglevel=error'];
  // npm is a batch file on Windows, which only a shell can start.
  const shell = process.platform === 'win32';
  // An install that was interrupted can still be at work in the folder, and two get in each other's way.
  if (spawnSync('npm', args, { cwd: folder, shell, stdio: 'ignore' }).status !== 0) {
    announce('that did not work; trying once more');
    runStep('npm', args, { cwd: folder, shell, hint: `npm ci failed in ${folder}; its message is above.` });
  }
  return true;
}

/** `npm ci` empties the folder first: behind a link, that of somebody else. */
function refuseLink(path) {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  fail(
    `${path} is a link to packages that are not those of the lockfile, and installing would empty what it leads to. ` +
      'Remove the link and try again.',
  );
}

/** Whether npm's record of what it installed is what the lockfile asks for; optional packages of other platforms may be absent. */
export function isInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const installed = readPackages(join(folder, 'node_modules/.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  delete wanted[''];
  return (
    Object.entries(wanted).every(([path, entry]) => path in installed || entry.optional || entry.devOptional) &&
    Object.entries(installed).every(([path, entry]) => wanted[path]?.integrity === entry.integrity)
  );
}

function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined; // absent or cut short: the answer is to install
  }
}
