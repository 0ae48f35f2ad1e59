/** The variables of each provider of identities. `<IDP>` stands for a name that the operator chooses. */
import type { Secret } from '#base/secret';
import * as providerValue from './provider-values.ts';
import * as value from './values.ts';
import { type Variable, variable } from './variable.ts';

/** What stands for the name of the provider. */
export const PLACEHOLDER = '<IDP>';

/** The variables by how the code calls their values. */
export const providerVariables = {
  clientId: variable({ ...named('CLIENT_ID'), type: value.text, unsetMeaning: 'required', meaning: 'Client id.' }),
  clientSecret: variable<Secret>({
    ...named('CLIENT_SECRET'),
    type: value.secretText,
    unsetMeaning: 'required, unless the method is `none`',
    meaning: 'Client secret.',
    isSecret: true,
  }),
  configUrl: variable({
    ...named('OIDC_CONFIG_URL'),
    type: providerValue.discoveryUrl,
    unsetMeaning: 'required',
    meaning:
      'Address of the provider’s configuration, which ends with `/.well-known/openid-configuration`. Only localhost may be reached by http. The server reads it at the first sign-in.',
  }),
  displayName: variable({
    ...named('DISPLAY_NAME'),
    type: value.text,
    unsetMeaning: 'made from `<IDP>`',
    meaning: 'Name of the provider on the sign-in page.',
  }),
  allowsSignUp: variable({
    ...named('ALLOW_SIGN_UP'),
    type: value.boolean,
    default: 'true',
    meaning:
      'Whether people without an account get one. If `false`, only people whose account exists or was prepared can sign in.',
  }),
  isAutomatic: variable({
    ...named('AUTO_LOGIN'),
    type: value.boolean,
    default: 'false',
    meaning: 'Whether the sign-in page leads to this provider at once. At most one provider can have it.',
  }),
  usesPkce: variable({
    ...named('USE_PKCE'),
    type: value.boolean,
    default: 'false',
    meaning: 'Whether the server uses PKCE with S256, whatever the method of the client.',
  }),
  clientAuth: variable({
    ...named('TOKEN_ENDPOINT_AUTH_METHOD'),
    type: value.oneOf('client_secret_basic', 'client_secret_post', 'none'),
    default: 'client_secret_basic',
    meaning: 'How the server shows its secret to the provider; `none` is for public clients.',
  }),
  scopes: variable({
    ...named('SCOPES'),
    type: providerValue.wordList,
    unsetMeaning: 'none',
    meaning: 'Scopes to ask for beside `openid email profile`.',
  }),
  emailPath: variable({
    ...named('EMAIL_ATTRIBUTE_PATH'),
    type: providerValue.claimPath,
    default: 'email',
    meaning: 'Where the e-mail address stands in the claims, such as `preferred_username`.',
  }),
  groupsPath: variable({
    ...named('GROUPS_ATTRIBUTE_PATH'),
    type: providerValue.claimPath,
    unsetMeaning: 'groups do not matter',
    meaning:
      'Where the groups of a person stand in the claims. Needs `ALLOWED_GROUPS`; a key with other characters than letters, digits and `_` stands in double quotes.',
  }),
  allowedGroups: variable({
    ...named('ALLOWED_GROUPS'),
    type: providerValue.groupList,
    unsetMeaning: 'groups do not matter',
    meaning: 'Groups whose members may sign in; one of them is enough. Needs `GROUPS_ATTRIBUTE_PATH`.',
  }),
  rolePath: variable({
    ...named('ROLE_ATTRIBUTE_PATH'),
    type: providerValue.claimPath,
    unsetMeaning: 'new accounts are viewers, and roles stay as they are',
    meaning:
      "Where the role of a person stands in the claims; a constant in single quotes, such as `'MEMBER'`, gives all the same role.",
  }),
  roleMapping: variable({
    ...named('ROLE_MAPPING'),
    type: providerValue.roleMapping,
    unsetMeaning: 'roles have the names `ADMIN`, `MEMBER` and `VIEWER`, in any case',
    meaning:
      'Roles by roles of the provider, such as `Owner:ADMIN,Developer:MEMBER`; case counts on the left. Needs `ROLE_ATTRIBUTE_PATH`.',
  }),
  isRoleStrict: variable({
    ...named('ROLE_ATTRIBUTE_STRICT'),
    type: value.boolean,
    default: 'false',
    meaning: 'Whether people without a valid role are refused. Otherwise they are viewers.',
  }),
  isRoleKeptInStep: variable({
    ...named('ROLE_RESYNC'),
    type: value.boolean,
    default: 'true',
    meaning: 'Whether each sign-in sets the role again. If `false`, the provider decides only about new accounts.',
  }),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

/** What reading the variables of a provider gives. */
export type ProviderValues = {
  readonly [Key in keyof typeof providerVariables]: (typeof providerVariables)[Key] extends Variable<infer Value>
    ? Value
    : never;
};

function named(suffix: string) {
  const name = `OAUTH2_${PLACEHOLDER}_${suffix}`;
  return { name, group: 'Providers', alias: `PHOENIX_${name}` } as const;
}
