/** Issuers at which anybody can have an account, of any organisation or none: an address that they do not verify proves nothing. */

/** Addresses of issuers, without the scheme and a slash at the end. */
const SHARED: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'appleid.apple.com',
  'gitlab.com',
  'id.twitch.tv/oauth2',
  'api.login.yahoo.com',
  'slack.com',
  'www.facebook.com',
  'www.linkedin.com',
  'www.linkedin.com/oauth',
  // Personal accounts of Microsoft.
  'login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
]);

/** Descriptions at Microsoft that name no tenant. */
const WITHOUT_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\//i;

/** Whether people of many organisations share it, and the settings name none. */
export function isSharedIssuer(configUrl: string, issuer: string): boolean {
  return WITHOUT_TENANT.test(configUrl) || SHARED.has(issuer.replace(/^https:\/\//, '').replace(/\/$/, ''));
}
