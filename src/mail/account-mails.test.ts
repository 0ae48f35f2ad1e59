import { describe, expect, it } from 'vitest';
import { resetMail, welcomeMail } from './account-mails.ts';

const rootUrl = 'https://cairn.example.com/traces';

describe('a mail for a new password', () => {
  it('has the link below the address of the server, in both parts', () => {
    const mail = resetMail('ada@example.com', { username: 'Ada', rootUrl, token: 'a.b-c_d', minutes: 15 });
    const url = `${rootUrl}/reset-password-with-token?token=a.b-c_d`;
    expect(mail.to).toBe('ada@example.com');
    expect(mail.text).toContain(`\n\n${url}\n\n`);
    expect(mail.text).toContain('within 15 minutes');
    expect(mail.html).toContain(`<a id="reset-url" href="${url}">`);
  });

  it('says parts of minutes, and one', () => {
    const text = (minutes: number) => resetMail('a@b.c', { username: 'a', rootUrl, token: 't', minutes }).text;
    expect(text(0.5)).toContain('within 0.5 minutes');
    expect(text(1)).toContain('within one minute');
  });
});

describe('a mail of welcome', () => {
  it('has the address of the server as it is configured', () => {
    const mail = welcomeMail('ada@example.com', { username: 'Ada', rootUrl, hasPassword: true });
    expect(mail.html).toContain(`<a id="welcome-url" href="${rootUrl}">`);
    expect(mail.text).toContain(`\n\n${rootUrl}\n\n`);
    expect(mail.text).toContain('password');
  });

  it('says nothing of passwords to people who sign in elsewhere', () => {
    const { text } = welcomeMail('ada@example.com', { username: 'Ada', rootUrl, hasPassword: false });
    expect(text).toContain(`\n\n${rootUrl}\n`);
    expect(text).not.toContain('password');
  });

  it('makes no element of a name', () => {
    const { html } = welcomeMail('ada@example.com', { username: '<img src=x> & "co"', rootUrl, hasPassword: true });
    expect(html).toContain('Hello &lt;img src=x&gt; &amp; &quot;co&quot;,');
  });
});
