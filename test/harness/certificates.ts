/** Certificates of the moment, for tests that need others than those of `fixtures/tls/`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of an authority, or of a server or client that it vouches for. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Makes an authority. @param days for which it is good; less than zero for one that has expired */
export function createAuthority(folder: string, name: string, days = 2): CertificateFiles {
  return sign(folder, name, { days, extensions: 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign' });
}

/** Makes a certificate. @param names as certificates have them, such as `IP:127.0.0.1,DNS:localhost` */
export function createCertificate(
  folder: string,
  name: string,
  { authority, names }: { readonly authority: CertificateFiles; readonly names: string },
): CertificateFiles {
  return sign(folder, name, { days: 2, extensions: `subjectAltName=${names}`, authority });
}

interface Signing {
  readonly days: number;
  readonly extensions: string;
  readonly authority?: CertificateFiles;
}

function sign(folder: string, name: string, { days, extensions, authority }: Signing): CertificateFiles {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const [certificate, key, request, details] = [file('pem'), file('key'), file('csr'), file('ext')];
  writeFileSync(details, extensions);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-new', ...curve, '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
  const signer =
    authority === undefined
      ? ['-signkey', key]
      : ['-CA', authority.certificate, '-CAkey', authority.key, '-CAcreateserial'];
  openssl('x509', '-req', '-in', request, ...signer, '-days', String(days), '-extfile', details, '-out', certificate);
  return { certificate, key };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
