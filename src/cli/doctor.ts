import { type LoadedConfig, loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import { findLockHolder, type LockHolder } from '#store/sqlite/server-lock';
import { checkCertificate } from './doctor/certificate.ts';
import { checkDatabase } from './doctor/database.ts';
import { type Finding, formatFindings, runCheck } from './doctor/finding.ts';
import { checkMail } from './doctor/mail.ts';
import { checkPostgres } from './doctor/postgres.ts';
import { checkPorts } from './doctor/ports.ts';
import { checkRecords } from './doctor/records.ts';
import { verifyData } from './doctor/verify.ts';
import { checkSignInServices } from './doctor/sign-in-services.ts';
import { checkDisk, checkFolder } from './doctor/storage.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { formatJson } from './json-output.ts';
import { findRunningServer } from './running-server.ts';

/** How the doctor looks, and how it says what it found. */
export interface DoctorOptions {
  readonly isJson: boolean;
  /** Whether providers and directories are asked, too. */
  readonly asksSignIn: boolean;
  /** Whether everything that is stored is read. */
  readonly isVerifying: boolean;
}

/** Checks everything that a start needs and prints what it found. */
export async function runDoctor(flags: Flags, options: DoctorOptions): Promise<ExitCode> {
  const findings = await findAll(flags, options);
  const isHealthy = findings.every((finding) => finding.status !== 'problem');
  const text = options.isJson ? formatJson({ isHealthy, findings }) : formatFindings(findings);
  process.stdout.write(text);
  return isHealthy ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function findAll(flags: Flags, { asksSignIn, isVerifying }: DoctorOptions): Promise<Finding[]> {
  const loaded = loadConfig(flags);
  const findings: Finding[] = [
    { check: 'Node', status: 'ok', message: process.versions.node },
    ...describeConfiguration(loaded),
  ];
  const { config } = loaded;
  // What the other checks would look at is not known before the configuration says it.
  if (config === null) return findings;

  findings.push(...(await runCheck('Certificate', () => checkCertificate(config))));
  findings.push(...(await runCheck('Mail', () => checkMail(config))));
  if (asksSignIn) findings.push(...(await runCheck('Sign-in', () => checkSignInServices(config))));
  const { database } = config;
  const verify = () => (isVerifying ? runCheck('Stored data', () => verifyData(config)) : []);
  if (database.engine === 'postgres') {
    return [
      ...findings,
      ...(await runCheck('Database', () => checkPostgres(database))),
      ...(await verify()),
      ...(await runCheck('Accounts', () => checkRecords(config))),
      ...(await runCheck('Ports', async () => checkPorts(config, await findRunningServer(config)))),
    ];
  }
  let holder: LockHolder | undefined;
  const checkServer = (): Finding[] => {
    holder = findLockHolder(database.path);
    const message =
      holder === undefined ? 'no server is running on this data' : `process ${holder.pid} has the data open`;
    return [{ check: 'Server', status: 'ok', message }];
  };
  return [
    ...findings,
    ...(await runCheck('Folder', () => checkFolder(database))),
    ...(await runCheck('Disk', () => checkDisk(database))),
    ...(await runCheck('Server', checkServer)),
    ...(await runCheck('Database', () => checkDatabase(database, holder))),
    ...(await verify()),
    ...(await runCheck('Accounts', () => checkRecords(config))),
    ...(await runCheck('Ports', () => checkPorts(config, holder && `process ${holder.pid}`))),
  ];
}

function describeConfiguration({ problems, warnings }: LoadedConfig): Finding[] {
  const check = 'Configuration';
  const findings: Finding[] = [
    ...problems.map(
      ({ variable, message }): Finding => ({ check, status: 'problem', message: `${variable} ${message}` }),
    ),
    ...warnings.map((message): Finding => ({ check, status: 'warning', message })),
  ];
  return findings.length > 0 ? findings : [{ check, status: 'ok', message: 'no problems' }];
}
