import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '#base/log';
import { Secret } from '#base/secret';
import type { MailConfig } from '#config/auth-config';
import { findFreePort } from '../../test/harness/free-port.ts';
import { MAIL_AUTHORITY, MAIL_LOGIN, type MailServer, startMailServer } from '../../test/harness/mail-server.ts';
import { MailQueue, MailRefusal } from './mail-queue.ts';
import type { Mail } from './mailer.ts';
import { deliverBySmtp, tryMailServer } from './smtp.ts';

const MAIL: Mail = {
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hallo Ada, https://cairn.example.com/?token=abc',
  html: '<p>Hallo <a id="reset-url" href="https://cairn.example.com/?token=abc">Ada</a></p>',
};

let server: MailServer | undefined;
beforeEach(() => {
  server = undefined;
});
afterEach(() => server?.[Symbol.asyncDispose]());

async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  server = await startMailServer(options);
  return server;
}

function configOf(port: number, changes: Partial<MailConfig> = {}): MailConfig {
  return {
    hostname: 'localhost',
    port,
    isTlsImplicit: false,
    username: MAIL_LOGIN.username,
    password: new Secret(MAIL_LOGIN.password),
    from: 'Cairn <cairn@example.com>',
    isVerified: true,
    ...changes,
  };
}

function deliver(config: MailConfig, authorities?: string): Promise<void> {
  return deliverBySmtp(config, authorities)(MAIL, AbortSignal.timeout(20_000));
}

describe('a mail', () => {
  it('goes out after STARTTLS and a login, with both parts', async () => {
    const { port, mails } = await start();
    await deliver(configOf(port), MAIL_AUTHORITY);
    expect(mails).toEqual([expect.objectContaining({ to: [MAIL.to], isEncrypted: true, username: 'cairn' })]);
    expect(mails[0]).toMatchObject({ text: MAIL.text, html: MAIL.html });
    expect(mails[0]?.source).toMatch(/^From: Cairn <cairn@example\.com>$/m);
    expect(mails[0]?.source).toMatch(/^Auto-Submitted: auto-generated$/im);
  });

  it('never goes out in clear: not where the server offers no TLS, and no password either', async () => {
    const passwords: unknown[] = [];
    const { port, mails } = await start({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        passwords.push(password);
        done(null, { user: 'cairn' });
      },
    });
    await expect(deliver(configOf(port, { isVerified: false }))).rejects.toThrow();
    expect([mails, passwords]).toEqual([[], []]);
  });

  it('goes only to a server whose certificate is good, unless that is turned off', async () => {
    const { port, mails } = await start();
    await expect(deliver(configOf(port))).rejects.toThrow(/certificate/);
    expect(mails).toEqual([]);
    await deliver(configOf(port, { isVerified: false }));
    expect(mails).toHaveLength(1);
  });

  it('goes to no server whose certificate is for another name', async () => {
    const { port, mails } = await start();
    // Another name of 127.0.0.1, which the certificate does not have.
    await expect(deliver(configOf(port, { hostname: '127.1' }), MAIL_AUTHORITY)).rejects.toThrow(/altnames/);
    expect(mails).toEqual([]);
  });

  it('goes out over a connection that is encrypted from its beginning', async () => {
    const { port, mails } = await start({ secure: true });
    await expect(deliver(configOf(port, { isTlsImplicit: true }))).rejects.toThrow(/certificate/);
    await deliver(configOf(port, { isTlsImplicit: true }), MAIL_AUTHORITY);
    expect(mails).toEqual([expect.objectContaining({ isEncrypted: true, username: 'cairn' })]);
  });

  it('is tried again later after a wrong password', async () => {
    const { port } = await start();
    const failed = deliver(configOf(port, { password: new Secret('hunter2') }), MAIL_AUTHORITY);
    await expect(failed).rejects.toThrow('the mail server answered 535 to AUTH PLAIN');
    await expect(failed).rejects.not.toBeInstanceOf(MailRefusal);
  });

  it.each([
    [450, Error],
    [550, MailRefusal],
  ])('that is refused with %i is an error that repeats nothing of it', async (responseCode, kind) => {
    const { port } = await start({
      onRcptTo: ({ address }, _session, done) => {
        done(Object.assign(new Error(`${address} is unknown`), { responseCode }));
      },
    });
    const failed: unknown = await deliver(configOf(port), MAIL_AUTHORITY).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(kind);
    expect(failed instanceof MailRefusal).toBe(kind === MailRefusal);
    expect((failed as Error).message).toBe(`the mail server answered ${responseCode} to RCPT TO`);
  });

  it('to what is no address is refused without its text', async () => {
    const { port } = await start();
    const delivered = deliverBySmtp(configOf(port), MAIL_AUTHORITY);
    const to = 'ada@example.com\r\nRCPT TO:<eve@example.com>';
    const failed: unknown = await delivered({ ...MAIL, to }, AbortSignal.timeout(20_000)).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(MailRefusal);
    expect((failed as Error).message).not.toContain('example');
    expect(server?.mails).toEqual([]);
  });

  it('is given up when its sender stops', async () => {
    const stop = new AbortController();
    const { port } = await start({ onData: () => stop.abort() });
    const delivered = deliverBySmtp(configOf(port), MAIL_AUTHORITY)(MAIL, stop.signal);
    await expect(delivered).rejects.toThrow();
  });
});

describe('a mail server', () => {
  it('is tried without a mail, by the same rules', async () => {
    const { port, mails } = await start();
    await tryMailServer(configOf(port), MAIL_AUTHORITY);
    await expect(tryMailServer(configOf(port))).rejects.toThrow(/certificate/);
    const wrong = configOf(port, { password: new Secret('hunter2') });
    await expect(tryMailServer(wrong, MAIL_AUTHORITY)).rejects.toThrow('the mail server answered 535 to AUTH PLAIN');
    expect(mails).toEqual([]);
  });
});

describe('mails', () => {
  const logged: string[] = [];
  const note = (message: string, fields: object = {}) =>
    void logged.push([message, ...Object.values(fields)].join(' '));
  const log: Logger = { debug: note, info: note, warn: note, error: note };

  it('arrive once the mail server is there, over one connection at a time', async () => {
    logged.length = 0;
    const port = await findFreePort();
    const queue = new MailQueue(deliverBySmtp(configOf(port), MAIL_AUTHORITY), log);
    queue.send(MAIL);
    await expect.poll(() => logged).toHaveLength(1);
    expect(logged[0]).toMatch(/next attempt is in 2 s\. .*ECONNREFUSED/);
    const { mails } = await start({ port });
    for (let count = 0; count < 5; count++) queue.send({ ...MAIL, to: `user${count}@example.com` });
    await expect.poll(() => mails.length).toBe(6);
    expect(new Set(mails.map(({ to }) => to[0])).size).toBe(6);
    expect(server?.maxConnections).toBe(1);
    await queue.close();
    expect(logged).toHaveLength(1);
    expect(logged.join()).not.toMatch(/ada|token/);
  });
});
