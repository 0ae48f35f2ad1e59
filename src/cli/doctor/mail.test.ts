import { expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { MAIL_LOGIN, startMailServer } from '../../../test/harness/mail-server.ts';
import { checkMail } from './mail.ts';

it('tries the login, sends nothing, and tells no password', async () => {
  await using server = await startMailServer();
  const check = (password: string, isVerified = false) =>
    checkMail({
      mail: {
        hostname: 'localhost',
        port: server.port,
        isTlsImplicit: false,
        username: MAIL_LOGIN.username,
        password: new Secret(password),
        from: 'cairn@example.com',
        isVerified,
      },
    });
  expect(await check(MAIL_LOGIN.password)).toMatchObject([{ status: 'ok', message: /accepts the login/ }]);
  const [wrong] = await check('hunter2');
  expect(wrong).toMatchObject({ status: 'problem', message: /the mail server answered 535 to AUTH/ });
  expect(JSON.stringify(wrong)).not.toContain('hunter2');
  expect(await check(MAIL_LOGIN.password, true)).toMatchObject([{ status: 'problem', message: /certificate/ }]);
  expect(server.mails).toEqual([]);
  expect(await checkMail({ mail: null })).toEqual([]);
});
