/**
 * Encrypts what people keep here for the server's use: AES-256-GCM, with a key that follows from `SERVICE_SECRET` or, without one,
 * from a file of random bytes beside the data file.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#base/errors';
import { Secret } from '#base/secret';
import type { SealedSecret } from '#domain/secret';
import type { SecretKeyFile } from './secret-key-file.ts';

/** What keys are made of. */
export interface SecretBoxOptions {
  readonly secret: Secret | null;
  /** What it was before: for reading alone. */
  readonly previousSecret: Secret | null;
  readonly keyFile: SecretKeyFile;
  /** Whether the file serves where there is no secret: not where several servers share the data. */
  readonly mayUseKeyFile: boolean;
}

/** Encrypts with today's key, and decrypts with any that the server knows. A value belongs to its name and opens under no other. */
export class SecretBox {
  readonly #options: SecretBoxOptions;
  readonly #ofSecret: Key | null;
  readonly #ofPrevious: Key | null;

  constructor(options: SecretBoxOptions) {
    this.#options = options;
    this.#ofSecret = options.secret && keyFrom(options.secret.reveal());
    this.#ofPrevious = options.previousSecret && keyFrom(options.previousSecret.reveal());
  }

  /** @throws AppError `failed_precondition` with what to do, where there is no key to encrypt with */
  async seal(name: string, text: string): Promise<SealedSecret> {
    const { id, bytes } = await this.#today();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(name));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { value: sealed.toString('base64'), keyId: id };
  }

  /** The value; `null` where no key that is known here opens it. */
  async open(name: string, { value, keyId }: SealedSecret): Promise<Secret | null> {
    const key = await this.#find(keyId);
    return key === undefined ? null : decrypt(key, name, Buffer.from(value, 'base64'));
  }

  /** Whether it is encrypted with the key that new values are. @throws AppError as `seal` */
  async isOfToday({ keyId }: SealedSecret): Promise<boolean> {
    return (await this.#today()).id === keyId;
  }

  async #today(): Promise<Key> {
    if (this.#ofSecret !== null) return this.#ofSecret;
    if (!this.#options.mayUseKeyFile) throw new AppError('failed_precondition', NEEDS_SECRET);
    return keyFrom(await this.#options.keyFile.readOrCreate());
  }

  async #find(keyId: string): Promise<Key | undefined> {
    const known = [this.#ofSecret, this.#ofPrevious].find((key) => key?.id === keyId);
    if (known != null) return known;
    const bytes = await this.#options.keyFile.read();
    const ofFile = bytes && keyFrom(bytes);
    return ofFile?.id === keyId ? ofFile : undefined;
  }
}

const NEEDS_SECRET =
  'With PostgreSQL, secrets are encrypted with SERVICE_SECRET, which is unset: set it to the same long random text on every server, and start them again.';

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

function keyFrom(source: string | Uint8Array): Key {
  const bytes = new Uint8Array(hkdfSync('sha256', source, '', 'cairn secrets', 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

function decrypt({ bytes }: Key, name: string, sealed: Buffer): Secret | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, bytes, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return new Secret(text.toString('utf8'));
  } catch {
    return null; // changed in the table, or of another name
  }
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
