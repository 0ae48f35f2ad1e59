/** The way to a mail server: encrypted and logged in, or not at all. */
import type { MailConfig } from '#config/auth-config';
import { type Deliver, MailRefusal } from './mail-queue.ts';

/**
 * Delivers by SMTP, each mail over a connection of its own.
 * @param authorities in PEM, whose certificates are accepted; those that Node knows unless a test has its own
 */
export function deliverBySmtp(config: MailConfig, authorities?: string): Deliver {
  return async (mail, signal) => {
    // Only servers that send mail load what it takes.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(optionsOf(config, authorities));
    const message = {
      from: config.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    };
    try {
      await transport.sendMail(message);
    } catch (error) {
      throw describeFailure(error);
    }
  };
}

/** Connects to the mail server and logs in, and sends nothing. @param authorities as of {@link deliverBySmtp} */
export async function tryMailServer(config: MailConfig, authorities?: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(config, authorities));
  try {
    await transport.verify();
  } catch (error) {
    throw describeFailure(error);
  } finally {
    transport.close();
  }
}

function optionsOf(config: MailConfig, authorities: string | undefined) {
  const { hostname, port, isTlsImplicit, username, password, isVerified } = config;
  return {
    host: hostname,
    port,
    secure: isTlsImplicit,
    requireTLS: !isTlsImplicit,
    tls: { rejectUnauthorized: isVerified, ...(authorities !== undefined && { ca: authorities }) },
    auth: { user: username, pass: password.reveal() },
    forceAuth: true,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  };
}

/**
 * What may be logged of a failure. What a mail server writes may repeat the address and the contents of a mail, so of that only
 * its number is told, and to which command it was the answer.
 */
function describeFailure(error: unknown): Error {
  const { message, code, responseCode, command } = error as Readonly<Record<string, unknown>>;
  const step = typeof command === 'string' ? command : 'the connection';
  if (typeof responseCode === 'number') {
    const reason = `the mail server answered ${responseCode} to ${step}`;
    const isAboutTheMail = step === 'MAIL FROM' || step === 'RCPT TO' || step === 'DATA';
    return isAboutTheMail && responseCode >= 500 ? new MailRefusal(reason) : new Error(reason);
  }
  if (code === 'EENVELOPE') return new MailRefusal('its address or its sender is none');
  return new Error(typeof message === 'string' ? message : 'the mail server could not be used');
}
