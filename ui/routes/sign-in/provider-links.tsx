import buttonStyles from '#ui/components/button.module.css';
import { classNames } from '#ui/lib/class-names.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { signInAddressOf } from './addresses.ts';
import styles from './sign-in.module.css';

/** Links to the providers that people can sign in with; nothing where there is none. */
export function ProviderLinks({
  addressFor = addressOfProvider,
  isNewTab = false,
  isAlone = false,
}: ProviderLinksProps) {
  const { providers, basicAuthDisabled } = serverConfig;
  if (providers.length === 0) return null;
  return (
    <>
      <ul className={styles.providers}>
        {providers.map(({ name, displayName }) => (
          <li key={name}>
            <a
              className={classNames(buttonStyles.button, buttonStyles.md, buttonStyles.secondary, styles.provider)}
              href={addressFor(name)}
              target={isNewTab ? '_blank' : undefined}
              rel={isNewTab ? 'noreferrer' : undefined}
            >
              Sign in with {displayName}
            </a>
          </li>
        ))}
      </ul>
      {!basicAuthDisabled && !isAlone && <p className={styles.or}>or with your password</p>}
    </>
  );
}

interface ProviderLinksProps {
  readonly addressFor?: (provider: string) => string;
  /** Whether this page stays. */
  readonly isNewTab?: boolean;
  /** Whether nothing else is offered beside them. */
  readonly isAlone?: boolean;
}

/** Leads to the provider, and from there to where the user wanted to go. */
function addressOfProvider(name: string): string {
  return signInAddressOf(`/oauth2/${name}/login`);
}
