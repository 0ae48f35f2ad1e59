import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '#config/config';
import type { Finding } from './finding.ts';

/** Below this, it is time to renew a certificate: those that renew themselves have done it before. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/** Whether the certificate is valid today, and for the name at which people reach the server. */
export function checkCertificate(
  { http, grpc, rootUrl }: Pick<Config, 'http' | 'grpc' | 'rootUrl'>,
  nowMs = Date.now(),
): Finding[] {
  const check = 'Certificate';
  const tls = http.tls ?? grpc.tls;
  if (tls === null) return [];
  const certificate = new X509Certificate(tls.certificatePem);
  const begin = certificate.validFromDate.getTime();
  const end = certificate.validToDate.getTime();
  const repair = 'Renew the certificate in SERVICE_TLS_CERT_FILE, and restart the server.';
  if (end <= nowMs) return [{ check, status: 'problem', message: `expired on ${day(end)}`, repair }];
  if (begin > nowMs) {
    const clock = 'Check the clock of this machine, or use another certificate in SERVICE_TLS_CERT_FILE.';
    return [{ check, status: 'problem', message: `is valid only from ${day(begin)} on`, repair: clock }];
  }
  const findings: Finding[] = [
    end - nowMs < SOON_DAYS * DAY_MS
      ? { check, status: 'warning', message: `expires on ${day(end)}`, repair }
      : { check, status: 'ok', message: `valid until ${day(end)}` },
  ];
  const name = rootUrl?.startsWith('https:') === true ? new URL(rootUrl).hostname : undefined;
  if (http.tls !== null && name !== undefined && !isFor(certificate, name)) {
    findings.push({
      check,
      status: 'warning',
      message: `is not for ${name}, the host of SERVICE_ROOT_URL`,
      repair: 'Browsers refuse it, unless a proxy in front of this server has a certificate of its own.',
    });
  }
  return findings;
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
