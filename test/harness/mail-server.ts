/** A real mail server for tests, which keeps what it is sent. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  readonly username: string;
  /** Headers and parts, as they were sent. */
  readonly source: string;
  /** Its parts, decoded. */
  readonly text: string;
  readonly html: string;
}

/** See {@link startMailServer}. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** In the order of their arrival. */
  readonly mails: readonly ReceivedMail[];
  /** Largest number of connections at once. */
  readonly maxConnections: number;
}

/** What a client logs in with. */
export const MAIL_LOGIN = { username: 'cairn', password: 'smtp-password' } as const;

/** Starts one at 127.0.0.1, with the certificate of the tests; STARTTLS unless the options say otherwise. */
export async function startMailServer({
  port = 0,
  ...options
}: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let [open, maxConnections] = [0, 0];
  const server = new SMTPServer({
    cert: readFixture('server-certificate.pem'),
    key: readFixture('server-key.pem'),
    onConnect(_session, done) {
      open++;
      maxConnections = Math.max(maxConnections, open);
      done();
    },
    onClose: () => void open--,
    onAuth({ username, password }, _session, done) {
      if (username === MAIL_LOGIN.username && password === MAIL_LOGIN.password) done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onData(stream, session, done) {
      const receive = async () => {
        const source = await text(stream);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, isEncrypted: session.secure, username: String(session.user), source, ...partsOf(source) });
        done();
      };
      void receive();
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    mails,
    get maxConnections() {
      return maxConnections;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The certificate of the authority that signed the server's. */
export const MAIL_AUTHORITY = readFixture('authority.pem');

function readFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
}

/** The two parts of a `multipart/alternative` mail. */
function partsOf(source: string): Pick<ReceivedMail, 'text' | 'html'> {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? '';
  const parts = source.split(`--${boundary}`).map((part) => {
    const split = part.indexOf('\r\n\r\n');
    return { head: part.slice(0, split), body: part.slice(split + 4) };
  });
  const find = (type: string) => {
    const part = parts.slice(1).find(({ head }) => head.includes(`Content-Type: ${type}`));
    return part === undefined ? '' : decode(part.head, part.body).replaceAll('\r\n', '\n').trim();
  };
  return { text: find('text/plain'), html: find('text/html') };
}

function decode(head: string, body: string): string {
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
