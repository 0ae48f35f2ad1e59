/** The mails about accounts. Their links begin with the configured address of the server, never with one from a request. */
import type { Mail } from './mailer.ts';

/** Somebody asked for a new password of an account. */
export function resetMail(
  to: string,
  options: {
    readonly username: string;
    readonly rootUrl: string;
    readonly token: string;
    /** How long the link is good. */
    readonly minutes: number;
  },
): Mail {
  const { username, rootUrl, token, minutes } = options;
  const url = `${rootUrl}/reset-password-with-token?token=${encodeURIComponent(token)}`;
  const time = minutes === 1 ? 'one minute' : `${Math.round(minutes * 10) / 10} minutes`;
  return compose(to, 'Choose a new password for Cairn', [
    `Hello ${username},`,
    `somebody asked for a new password for your account at ${rootUrl}. To choose one, open this link:`,
    { id: 'reset-url', url, label: 'Choose a new password' },
    `The link works once, within ${time}. If it was not you, ignore this mail: your password stays as it is.`,
  ]);
}

/** An administrator made an account. */
export function welcomeMail(
  to: string,
  { username, rootUrl, hasPassword }: { username: string; rootUrl: string; hasPassword: boolean },
): Mail {
  return compose(to, 'Your account in Cairn', [
    `Hello ${username},`,
    'an administrator made an account for you in Cairn, which records what LLM applications do. To sign in, open this address:',
    { id: 'welcome-url', url: rootUrl, label: rootUrl },
    ...(hasPassword
      ? [
          `Sign in with your e-mail address, ${to}, and the password that the administrator tells you; then choose one of your own. If you were told none, the page for signing in sends you a link to choose one.`,
        ]
      : []),
  ]);
}

interface Link {
  readonly id: string;
  readonly url: string;
  readonly label: string;
}

function compose(to: string, subject: string, paragraphs: readonly (string | Link)[]): Mail {
  const texts = paragraphs.map((part) => (typeof part === 'string' ? part : part.url));
  const elements = paragraphs.map((part) => `<p>${typeof part === 'string' ? escapeHtml(part) : anchor(part)}</p>`);
  return {
    to,
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body>\n${elements.join('\n')}\n</body>\n</html>\n`,
  };
}

function anchor({ id, url, label }: Link): string {
  return `<a id="${id}" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
