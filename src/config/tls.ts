import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { errorMessage } from '#base/errors';
import { Secret } from '#base/secret';
import type { TlsConfig } from './config.ts';
import type { Values } from './env.ts';
import type { Environment, Problem } from './read-environment.ts';

/** What each listener needs for TLS; `null` for one that speaks in clear. The files are read and tried here, once. */
export function deriveTls(environment: Environment, problems: Problem[]): Record<'http' | 'grpc', TlsConfig | null> {
  const { values } = environment;
  const isForHttp = values.isTlsEnabledForHttp ?? values.isTlsEnabled;
  const isForGrpc = values.isTlsEnabledForGrpc ?? values.isTlsEnabled;
  const tls = isForHttp || isForGrpc ? readTls(environment, problems) : null;
  return { http: isForHttp ? tls : null, grpc: isForGrpc ? tls : null };
}

function readTls(environment: Environment, problems: Problem[]): TlsConfig | null {
  const { values, spelling } = environment;
  const certificatePem = readPem(environment, 'tlsCertFile', 'TLS needs a certificate', problems);
  const keyPem = readPem(environment, 'tlsKeyFile', 'TLS needs a private key', problems);
  const clientCaPem = values.isTlsClientVerified
    ? readPem(
        environment,
        'tlsCaFile',
        `${spelling.isTlsClientVerified} needs certificate authorities to accept`,
        problems,
      )
    : null;
  if (certificatePem === undefined || keyPem === undefined || clientCaPem === undefined) return null;

  const tls: TlsConfig = {
    certificatePem,
    keyPem: new Secret(keyPem),
    keyPassword: values.tlsKeyFilePassword ?? null,
    clientCaPem,
  };
  return isUsable(tls, environment, problems) ? tls : null;
}

function readPem(
  { values, spelling }: Environment,
  key: 'tlsCertFile' | 'tlsKeyFile' | 'tlsCaFile',
  need: string,
  problems: Problem[],
): string | undefined {
  const variable = spelling[key];
  const path = values[key];
  if (path === undefined) {
    problems.push({ variable, message: `is unset: ${need}; name a PEM file.` });
    return undefined;
  }
  return readPemFile(variable, path, problems);
}

/** The text of a file that is there, can be read and is not empty. */
export function readPemFile(variable: string, path: string, problems: Problem[]): string | undefined {
  try {
    if (!statSync(path).isFile()) {
      problems.push({ variable, message: `${path} is not a file; name a PEM file.` });
      return undefined;
    }
    const pem = readFileSync(path, 'utf8');
    if (pem.trim() !== '') return pem;
    problems.push({ variable, message: `${path} is empty; name a PEM file.` });
  } catch (error) {
    problems.push({
      variable,
      message: `${path} cannot be read (${errorCode(error)}); check that it exists and that this user may read it.`,
    });
  }
  return undefined;
}

/** Tries each part by itself, so that every problem names the one at fault; whether two fit is asked of usable ones. */
function isUsable(tls: TlsConfig, { spelling }: Environment, problems: Problem[]): boolean {
  const passphrase = tls.keyPassword?.reveal();
  const cert = tls.certificatePem;
  const key = { key: tls.keyPem.reveal(), ...(passphrase === undefined ? {} : { passphrase }) };
  const attempt = (name: keyof Values, fault: string, use: () => unknown): boolean => {
    try {
      use();
      return true;
    } catch (error) {
      problems.push({ variable: spelling[name], message: `${fault} (${errorMessage(error)}).` });
      return false;
    }
  };
  const hasCertificate = attempt('tlsCertFile', 'contains no usable certificate', () => createSecureContext({ cert }));
  const keyFault = `contains no usable key; check the file and ${spelling.tlsKeyFilePassword}`;
  const hasKey = attempt('tlsKeyFile', keyFault, () => createSecureContext(key));
  const mismatch = `does not belong to the certificate in ${spelling.tlsCertFile}`;
  const isPair =
    hasCertificate && hasKey && attempt('tlsKeyFile', mismatch, () => createSecureContext({ cert, ...key }));
  const { clientCaPem } = tls;
  const noAuthority = 'contains no usable certificate of an authority';
  const hasAuthorities =
    clientCaPem === null ||
    attempt('tlsCaFile', noAuthority, () => createSecureContext({ ca: requireCertificate(clientCaPem) }));
  return isPair && hasAuthorities;
}

/** OpenSSL takes a text without any certificate as an empty list of authorities, which would then accept nobody. */
export function requireCertificate(pem: string): string {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate');
  return pem;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error);
}
