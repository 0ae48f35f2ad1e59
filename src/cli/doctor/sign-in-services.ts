/** Whether people can sign in with the providers and the directory of the settings. Nobody is signed in. */
import { errorMessage } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { PREFIX } from '#config/variable';
import type { ProviderConfig } from '#config/provider-config';
import { LdapDirectory } from '#credentials/ldap/directory';
import { IdentityProvider } from '#credentials/oidc/identity-provider';
import type { Finding } from './finding.ts';

/** Asks each provider for its description, and each server of the directory for a name that nobody has. */
export async function checkSignInServices({ auth }: Pick<Config, 'auth'>): Promise<Finding[]> {
  const ofProviders = await Promise.all(auth.providers.map(checkProvider));
  const findings = [...ofProviders.flat(), ...(await checkDirectory(auth.ldap))];
  if (findings.length > 0) return findings;
  return [{ check: 'Sign-in', status: 'ok', message: 'neither a provider nor a directory is configured' }];
}

async function checkProvider(config: ProviderConfig): Promise<Finding[]> {
  const check = `Provider ${config.name}`;
  const variable = (suffix: string) => `${PREFIX}OAUTH2_${config.name.toUpperCase()}_${suffix}`;
  try {
    const { issuer, clientMethods, isPkceOffered } = await new IdentityProvider(config).examine();
    const findings: Finding[] = [{ check, status: 'ok', message: `describes itself as ${issuer}` }];
    if (clientMethods !== null && !clientMethods.includes(config.clientAuth)) {
      const message = `does not name the method ${config.clientAuth} among those that it takes`;
      const repair = `Set ${variable('TOKEN_ENDPOINT_AUTH_METHOD')} to one of ${clientMethods.join(', ')}.`;
      findings.push({ check, status: 'warning', message, repair });
    }
    if (config.usesPkce && isPkceOffered === false) {
      const message = 'does not name PKCE with S256 among what it offers';
      findings.push({ check, status: 'warning', message, repair: `Set ${variable('USE_PKCE')} to false.` });
    }
    return findings;
  } catch (error) {
    const repair = `Check ${variable('OIDC_CONFIG_URL')}, and whether this machine reaches it. Until then, nobody can sign in with it.`;
    return [{ check, status: 'problem', message: errorMessage(error), repair }];
  }
}

async function checkDirectory(ldap: Config['auth']['ldap']): Promise<Finding[]> {
  if (ldap === null) return [];
  const examinations = await new LdapDirectory(ldap, NO_LOG).examine();
  return examinations.map(({ place, failure }): Finding => {
    const check = `Directory ${place}`;
    if (failure === null) return { check, status: 'ok', message: 'searches for names' };
    const repair = `Check the settings ${PREFIX}LDAP_…, and the server. People can sign in while another server answers.`;
    return { check, status: 'problem', message: failure, repair };
  });
}

function ignore(): void {
  // What is worth knowing is in the findings.
}

const NO_LOG: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
