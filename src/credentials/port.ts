/** What proves who somebody is, as resources use it. */
import type { AuthConfig } from '#config/auth-config';
import type { PersonRole } from '#domain/account';
import type { Caller } from '#domain/caller';
import type { Mailer } from '#mail/mailer';
import type { IdentityProviders } from './oidc/identity-providers.ts';
import type { PasswordAttempts } from './password-attempts.ts';
import type { RateLimits } from './rate-limits.ts';
import type { SecretBox } from './secret-box.ts';
import type { Tokens } from './tokens.ts';

/** What is stored of a password; see `password_hash`, `password_salt` and `password_algorithm` of `users`. */
export interface StoredPassword {
  /** Base64. */
  readonly hash: string;
  /** Base64. */
  readonly salt: string;
  /** Name and parameters, as `argon2id:m=65536,t=2,p=1`. */
  readonly algorithm: string;
}

/** What came of checking a password. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** Right, and better stored as today's passwords are. */
  readonly isOutdated: boolean;
}

/**
 * Makes and checks what is stored of passwords, on a thread of its own that gives way to others. Call it before a command: never
 * in a transaction.
 */
export interface Passwords {
  /** @throws AppError `resource_exhausted` where too many wait already, `unavailable` */
  hash(password: string): Promise<StoredPassword>;
  /** Takes as long where nothing is stored, and is wrong then. @throws AppError as {@link Passwords.hash} does */
  verify(password: string, stored: StoredPassword | null): Promise<PasswordCheck>;
}

/** Something that was refused because of who asked for it. */
export interface RefusedAttempt {
  readonly caller: Caller;
  /** As policies name it, as `users.create`. */
  readonly operation: string;
  /** What it was meant for, as in global ids. Never a name that is not known here: people type passwords in its place. */
  readonly objectType?: string;
  readonly objectId?: number | string | null;
  readonly objectName?: string | null;
}

/** Writes down what is refused, summed and bounded; the caller does not wait. */
export interface Refusals {
  note(attempt: RefusedAttempt): void;
}

/** Somebody whose password a directory found right. */
export interface DirectoryPerson {
  /** As accounts have it; `null` where the directory has none. */
  readonly email: string | null;
  /** What never changes; `null` where people are known by their addresses. */
  readonly uniqueId: string | null;
  readonly displayName: string | null;
  /** `null` where none of the person's groups has one: they may not come in, or be in. */
  readonly role: PersonRole | null;
}

/** A directory that people sign in with. */
export interface Directory {
  /** Whether people without an account get one. */
  readonly allowsSignUp: boolean;
  /**
   * Whose the name and the password are. `null` where they are nobody's, or of an entry that cannot be used, which takes as long.
   * @throws AppError `unavailable` where the directory does not answer, `resource_exhausted` where too many wait for it
   */
  authenticate(name: string, password: string): Promise<DirectoryPerson | null>;
  /** Tells the operator why somebody with the right password was not let in, which the person is not told. */
  logRefusal(reason: string): void;
}

/** What resources work with that manage accounts, sign-ins and keys. */
export interface AuthServices {
  readonly config: AuthConfig;
  /** `null` while there is no secret to sign with. */
  readonly tokens: Tokens | null;
  readonly passwords: Passwords;
  /** `null` where none is configured. */
  readonly directory: Directory | null;
  readonly secretBox: SecretBox;
  readonly refusals: Refusals;
  /** `null` where no mail server, or no address of this server, is configured. */
  readonly mailer: Mailer | null;
  readonly providers: IdentityProviders;
  readonly rateLimits: RateLimits;
  /** What every check of a password goes through that somebody gives. */
  readonly attempts: PasswordAttempts;
  /** Before the paths of this server; begins with a slash and does not end with one, or empty. */
  readonly rootPath: string;
  /** The address at which people reach this server, without a slash at its end; `null` where it is not configured. */
  readonly rootUrl: string | null;
}
