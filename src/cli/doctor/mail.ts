import { errorMessage } from '#base/errors';
import type { Config } from '#config/config';
import { tryMailServer } from '#mail/smtp';
import type { Finding } from './finding.ts';

/** Whether the mail server takes this server's login. No mail is sent. */
export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Finding[]> {
  if (mail === null) return [];
  const check = 'Mail';
  const place = `${mail.hostname}:${mail.port}`;
  try {
    await tryMailServer(mail);
    return [{ check, status: 'ok', message: `${place} accepts the login` }];
  } catch (error) {
    const repair =
      'Check the settings SERVICE_SMTP_…, and that the mail server is running. Until then, no mail is sent.';
    return [{ check, status: 'problem', message: `${place} cannot be used: ${errorMessage(error)}`, repair }];
  }
}
