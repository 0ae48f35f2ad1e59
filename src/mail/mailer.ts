/** Mails, as those who write them see them. */

/** A mail with the same contents twice. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mails soon, and again where that fails; the caller does not wait. */
export interface Mailer {
  send(mail: Mail): void;
}
