/** TLS settings as Node's servers take them. */
import type { TlsConfig } from '#config/config';

/** Certificate, key and, where clients must show certificates, the authorities that sign those. */
export function toTlsOptions({ certificatePem, keyPem, keyPassword, clientCaPem }: TlsConfig) {
  return {
    cert: certificatePem,
    key: keyPem.reveal(),
    ...(keyPassword !== null && { passphrase: keyPassword.reveal() }),
    ...(clientCaPem !== null && { ca: clientCaPem, requestCert: true, rejectUnauthorized: true }),
  };
}
