import type { Environment } from './read-environment.ts';

/** Applications that people let act in their name. */
export interface ApplicationsConfig {
  /** Whether they can; only while authentication is on. */
  readonly areEnabled: boolean;
  /** How long one may, in microseconds. */
  readonly grantUs: number;
  readonly checksOrigin: boolean;
  readonly registration: 'enabled' | 'local_only' | 'disabled';
  /** Where people may be sent back to over https, in lower case; `null` for everywhere. */
  readonly redirectHosts: readonly string[] | null;
  readonly registrationsPerHour: number;
  /** Whether the server itself encrypts, for its address where none is configured. */
  readonly isEncrypted: boolean;
}

/** Applications as the variables describe them. */
export function deriveApplications({ values }: Environment, isEncrypted: boolean): ApplicationsConfig {
  return {
    areEnabled: values.isAuthEnabled && values.hasApplications,
    grantUs: Math.round(values.grantDays * US_PER_DAY),
    checksOrigin: values.consentOriginCheck === 'strict',
    registration: values.registration,
    redirectHosts: values.redirectHosts?.length === 0 ? null : (values.redirectHosts ?? null),
    registrationsPerHour: values.registrationsPerHour,
    isEncrypted,
  };
}

const US_PER_DAY = 24 * 3600 * 1e6;
