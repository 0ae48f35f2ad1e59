import type { AuthConfig } from '#config/auth-config';

/** What an agent is told that asks how it gets in. */
export function describeFlow(
  { isEnabled, applications }: Pick<AuthConfig, 'isEnabled' | 'applications'>,
  issuer: string,
): string {
  if (!isEnabled) return `# Authentication\n\n${issuer} asks nobody for credentials.\n`;
  const key = `Send an API key, which a person creates at ${issuer}/profile, as \`Authorization: Bearer <key>\`.\n`;
  if (!applications.areEnabled) return `# Authentication\n\n${key}`;
  const days = Math.round(applications.grantUs / (24 * 3600 * 1e6));
  const register =
    applications.registration === 'disabled'
      ? 'This server registers no applications: use a client id that its administrator gave you.'
      : `Register: \`POST ${issuer}/oauth2/register\` with \`{"client_name", "redirect_uris"}\`. The answer holds a \`client_id\`; there is no secret.`;
  return `# Authentication

${key}
Or ask a person to let you in, with OAuth 2.1. You then act with the permissions of the person who approved, for at most ${days} days.

1. Read \`${issuer}/.well-known/oauth-authorization-server\`.
2. ${register}
3. Open \`${issuer}/oauth2/authorize\` in the person's browser, with \`response_type=code\`, \`client_id\`, \`redirect_uri\`, a random
   \`state\` of at least 22 characters, \`code_challenge\` and \`code_challenge_method=S256\`. \`resource\` is \`${issuer}\` unless you say otherwise.
4. Compare \`state\` and \`iss\` in the address that the person comes back to. \`error=access_denied\` means no.
5. Within 5 minutes, send \`code\`, \`code_verifier\`, \`client_id\`, \`redirect_uri\` and \`grant_type=authorization_code\` as a form to
   \`${issuer}/oauth2/token\`.
6. Send the access token as \`Authorization: Bearer <token>\`. Before it expires, exchange the refresh token with
   \`grant_type=refresh_token\`. Each refresh token is good once; using one twice ends everything.
7. When you are done, send a token to \`${issuer}/oauth2/revoke\`.
`;
}
