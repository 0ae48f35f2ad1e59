/** The variables of applications that people let act in their name; part of the table in env.ts. */
import * as value from './values.ts';
import { variable } from './variable.ts';

/** What the server is told as an authorization server. */
export const applicationVariables = {
  hasApplications: variable({
    name: 'ENABLE_OAUTH2_AUTHORIZATION_SERVER',
    group: 'Sign-in',
    type: value.boolean,
    default: 'true',
    meaning:
      'Whether people can let applications, such as `cairn login` and agents, act in their name. Only with authentication.',
    alias: 'PHOENIX_ENABLE_OAUTH2_AUTHORIZATION_SERVER',
  }),
  grantDays: variable({
    name: 'OAUTH2_GRANT_EXPIRY_DAYS',
    group: 'Sign-in',
    type: value.decimal({ isZeroAllowed: false, maximum: 90 }),
    unit: 'days',
    default: '90',
    meaning: 'How long an application may act in the name of a person who let it in; at most 90.',
    alias: 'PHOENIX_OAUTH2_GRANT_EXPIRY_DAYS',
  }),
  consentOriginCheck: variable({
    name: 'OAUTH2_CONSENT_ORIGIN_CHECK',
    group: 'Sign-in',
    type: value.oneOf('strict', 'off'),
    default: 'strict',
    meaning:
      'Whether the answer to an application must come from a page at the address of this server. `off` leaves that to the cookies.',
    alias: 'PHOENIX_OAUTH2_CONSENT_ORIGIN_CHECK',
  }),
  registration: variable({
    name: 'OAUTH2_DYNAMIC_CLIENT_REGISTRATION',
    group: 'Sign-in',
    type: value.oneOf('enabled', 'local_only', 'disabled'),
    default: 'enabled',
    meaning:
      'Which applications can register themselves: all, those on the machine of the person, or none. `cairn login` needs no registration.',
    alias: 'PHOENIX_OAUTH2_DYNAMIC_CLIENT_REGISTRATION',
  }),
  redirectHosts: variable({
    name: 'OAUTH2_ALLOWED_REDIRECT_HOSTS',
    group: 'Sign-in',
    type: value.hostList,
    unsetMeaning: 'all',
    meaning: 'Hosts to which applications may have people sent back over https; bare names.',
    alias: 'PHOENIX_OAUTH2_ALLOWED_REDIRECT_HOSTS',
  }),
  registrationsPerHour: variable({
    name: 'OAUTH2_DCR_RATE_LIMIT_PER_HOUR',
    group: 'Sign-in',
    type: value.integer(1, 100_000),
    default: '10',
    meaning: 'How many applications can be registered from one address in an hour.',
    alias: 'PHOENIX_OAUTH2_DCR_RATE_LIMIT_PER_HOUR',
  }),
};
