/** What commands are given whose rows in the log are looked at. */
import type { StoredPassword } from '#credentials/port';
import { spanId } from '../../test/harness/otlp-json.ts';

/** In everything that people write, and in all that proves who somebody is. */
export const CANARY = 'canary';
/** See the file. */
export const password = (name: string): StoredPassword => ({
  hash: Buffer.from(`${CANARY} ${name}`).toString('base64'),
  salt: Buffer.from(CANARY).toString('base64'),
  algorithm: 'argon2id:m=65536,t=2,p=1',
});
/** See the file. */
export const sealed = (text: string) => ({ value: `${CANARY} ${text}`, keyId: CANARY });
/** See the file. */
export const tokens = (name: string) => ({ accessHash: `${CANARY} a ${name}`, refreshHash: `${CANARY} r ${name}` });
/** See the file. */
export const times = { accessTokenUs: 1e9, refreshTokenUs: 1e9, sessionUs: 1e9 };

/** See the file. */
export const PRICE = {
  name: 'gpt',
  namePattern: `^${CANARY}`,
  prices: [
    { tokenType: 'input', isPrompt: true, perMillionTokens: 1 },
    { tokenType: 'output', isPrompt: false, perMillionTokens: 1 },
  ],
};
/** See the file. */
export const MATCHING = { filter: `name == '${CANARY}'`, traceFilter: null, rootsOnly: false, exceptRowIds: [] };
/** See the file. */
export const POLICY = { name: 'short', cron: '0 3 * * *', rule: { maxDays: 7, maxCount: null }, projectRowIds: [] };
/** See the file. */
export const CONFIG = {
  kind: 'CATEGORICAL',
  name: 'correctness',
  description: CANARY,
  isStrict: false,
  direction: 'MAXIMIZE',
  values: [{ label: CANARY, score: 1 }],
};
/** See the file. */
export const QUEUE = {
  name: 'tone',
  description: CANARY,
  instructions: CANARY,
  target: 'span',
  reviewsPerItem: 1,
  isBlind: false,
  holdMinutes: 15,
  configRowIds: [],
};
/** See the file. */
export const assignmentOf = (projectRowId: number | undefined, configRowId: number | undefined) => ({
  assignments: [{ projectRowId, configRowId }],
  isRepeatable: false,
});
/** See the file. */
export const VIEW = { table: 'spans', content: `{"filter":"name == '${CANARY}'"}` };
/** See the file. */
export const KEY = {
  hash: `${CANARY} key`,
  description: CANARY,
  operations: null,
  projectRowIds: null,
  expiresAtUs: null,
};
/** See the file. */
export const person = (name: string) => ({
  username: name,
  email: `${name}@example.com`,
  role: 'MEMBER',
  authMethod: 'LOCAL',
  password: password(name),
});
/** See the file. */
export const annotated = (name: string) => ({
  target: 'span',
  annotations: [
    {
      of: spanId(1),
      documentPosition: -1,
      name: name === 'store' ? 'quality' : name,
      identifier: '',
      annotatorKind: 'HUMAN',
      label: CANARY,
      score: null,
      explanation: CANARY,
      metadata: `{"a":"${CANARY}"}`,
    },
  ],
  source: 'API',
});
/** See the file. */
export const ARRIVAL = {
  provider: { clientId: CANARY, isOnlyWithClient: true, allowsSignUp: true },
  identity: {
    issuer: 'https://id.example.com',
    subject: CANARY,
    email: `${CANARY}@id.example.com`,
    isEmailTrusted: true,
    name: 'Kay',
    pictureUrl: `https://id.example.com/${CANARY}`,
  },
  role: { ofNew: 'VIEWER', ofExisting: null },
};
/** See the file. */
export const APPLICATION = { clientId: 'px_dcr_agent', name: 'Agent', redirectUris: [`http://127.0.0.1/${CANARY}`] };
/** See the file. */
export const GIVEN = { clientId: APPLICATION.clientId, audience: null, times };
const SENT_BACK = { redirectUri: `http://127.0.0.1/${CANARY}`, challenge: CANARY };
/** See the file. */
export const authorization = (name: string) => ({
  ...SENT_BACK,
  application: APPLICATION,
  audience: 'server',
  codeHash: `${CANARY} code ${name}`,
});
/** See the file. */
export const shownCode = (name: string) => ({
  ...SENT_BACK,
  ...GIVEN,
  codeHash: `${CANARY} code ${name}`,
  tokens: tokens(`grant ${name}`),
});
/** See the file. */
export const LOGIN = { upgraded: null, tokens: tokens('1'), times, subject: 'grace@example.com' };
