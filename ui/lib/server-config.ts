/** What the server tells the page about itself, in a data block of its HTML. */

/** See {@link serverConfig}. */
export interface ServerConfig {
  /** Before every path; begins with a slash and does not end with one, or empty. */
  readonly rootPath: string;
  readonly version: string;
  /** `host:port` where OTLP over gRPC is taken. */
  readonly grpcAddress: string;
  readonly authEnabled: boolean;
  /** Whether signing in with a password is switched off. */
  readonly basicAuthDisabled: boolean;
  /** With which people can sign in otherwise. */
  readonly providers: readonly { readonly name: string; readonly displayName: string }[];
  /** Whether the sign-in page leads to a provider by itself. */
  readonly isAutomatic: boolean;
  /** Whether people can sign in with a directory (LDAP). */
  readonly ldapEnabled: boolean;
  /** Whether administrators can prepare accounts for people of the directory. */
  readonly canPrepareDirectoryUsers: boolean;
  /** Whether people can have a link sent to them that sets a new password. */
  readonly canResetByMail: boolean;
  /** Where the installation itself is managed. */
  readonly managementUrl: string | null;
  /** Whether the strong password policy holds. */
  readonly hasStrongPasswords: boolean;
}

/** The configuration of this page's server. */
export const serverConfig: ServerConfig = readServerConfig();

function readServerConfig(): ServerConfig {
  const text = document.querySelector('#cairn-config')?.textContent;
  if (text == null) throw new Error('The page has no configuration because it was not served by Cairn.');
  return JSON.parse(text) as ServerConfig;
}
