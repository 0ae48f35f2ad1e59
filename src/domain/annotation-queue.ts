/** Review queues: rows that people judge one after the other, each held by one person at a time. */
import { AppError } from '#base/errors';
import type { AnnotationConfig } from './annotation-config.ts';
import { type Caller, userRowIdOf } from './caller.ts';

/** Of what a queue holds rows. */
export type QueueTarget = 'span' | 'trace' | 'session';

/** What a queue says of itself. */
export interface QueueContent {
  /** Unique. */
  readonly name: string;
  readonly description: string | null;
  /** Markdown. */
  readonly instructions: string | null;
  /** How many people judge each item. */
  readonly reviewsPerItem: number;
  /** Whether reviewers see nothing of what others said of an item before their own review. */
  readonly isBlind: boolean;
  /** How long an item stays with the person who opened it. */
  readonly holdMinutes: number;
}

/** A queue as stored. Times are microseconds since the Unix epoch. */
export interface AnnotationQueue extends QueueContent {
  readonly rowId: number;
  readonly target: QueueTarget;
  readonly createdByRowId: number | null;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
}

/** A row that waits for reviews, or has had them. */
export interface QueueItem {
  readonly rowId: number;
  readonly queueRowId: number;
  readonly target: QueueTarget;
  readonly targetRowId: number;
  readonly completedCount: number;
  readonly isDone: boolean;
  /** The key of the reviewer who opened it last; the hold is over at `heldUntilUs`. */
  readonly heldBy: string | null;
  readonly heldUntilUs: number;
  readonly addedByRowId: number | null;
  readonly addedAtUs: number;
}

/** What adds to a queue what arrives in a project. */
export interface QueueRule {
  readonly rowId: number;
  readonly queueRowId: number;
  readonly projectRowId: number;
  /** In the filter language of the queue's rows; `null` for all of them. */
  readonly filter: string | null;
  readonly samplePercent: number;
  readonly addedCount: number;
  /** Why it adds nothing. */
  readonly error: string | null;
  readonly createdAtUs: number;
}

/** A rule to be added. Its filter was read without an error. */
export interface NewRule {
  readonly queueRowId: number;
  readonly projectRowId: number;
  readonly filter: string | null;
  readonly samplePercent: number;
}

/** What became of a review. */
export const QUEUE_OUTCOMES = ['completed', 'skipped'] as const;

/** One of {@link QUEUE_OUTCOMES}. */
export type QueueOutcome = (typeof QUEUE_OUTCOMES)[number];

/** A review of an item. */
export interface QueueReview {
  readonly itemRowId: number;
  readonly reviewer: string;
  /** `null` once the account is deleted, and for reviewers without one. */
  readonly userRowId: number | null;
  readonly outcome: QueueOutcome;
  readonly atUs: number;
}

/** How far a queue is. */
export interface QueueProgress {
  readonly queueRowId: number;
  readonly itemCount: number;
  readonly doneCount: number;
  /** Held by somebody now, and not done. */
  readonly heldCount: number;
}

/** What senders call a row that is shown, and where it is. */
export interface NamedTarget {
  readonly rowId: number;
  readonly projectRowId: number;
  readonly key: string;
}

/** A queue with what belongs to it. */
export interface QueueDetails {
  readonly queue: AnnotationQueue;
  readonly configs: readonly AnnotationConfig[];
  readonly rules: readonly QueueRule[];
  /** `undefined` without items. */
  readonly progress: QueueProgress | undefined;
}

/** An item with what belongs to it. */
export interface ItemDetails {
  readonly item: QueueItem;
  /** `undefined` where it is hidden. */
  readonly target: NamedTarget | undefined;
  readonly reviews: readonly QueueReview[];
}

/** How far an item is. */
export const ITEM_STATES = ['waiting', 'held', 'done'] as const;

/** One of {@link ITEM_STATES}. */
export type ItemState = (typeof ITEM_STATES)[number];

/** How far an item is at that time. */
export function stateOfItem(item: Pick<QueueItem, 'isDone' | 'heldBy' | 'heldUntilUs'>, nowUs: number): ItemState {
  if (item.isDone) return 'done';
  return holderOfItem(item, nowUs) === null ? 'waiting' : 'held';
}

/** The key of the reviewer who holds an item at that time. */
export function holderOfItem({ heldBy, heldUntilUs }: Pick<QueueItem, 'heldBy' | 'heldUntilUs'>, nowUs: number) {
  return heldUntilUs > nowUs ? heldBy : null;
}

/** The account that a queue is said to be made by; `null` where no person does. */
export function creatorOfQueue(caller: Caller): number | null {
  return userRowIdOf(caller);
}

/** Who reviews. */
export interface Reviewer {
  /** Tells reviewers apart. */
  readonly key: string;
  readonly userRowId: number | null;
}

/**
 * The reviewer that a caller is: an account, a key of the system, or a browser while authentication is off. `null` where no such
 * browser is named, and for callers that never review.
 * @param holder the key that a browser chose for itself; not looked at where the caller is known
 * @throws AppError `invalid_argument` for a key that is none
 */
export function findReviewer(caller: Caller, holder: string | null): Reviewer | null {
  switch (caller.kind) {
    case 'user':
    case 'admin_secret':
      return { key: `user:${caller.rowId}`, userRowId: caller.rowId };
    case 'system_key':
      return { key: `key:${caller.rowId}`, userRowId: null };
    case 'anonymous':
      if (holder === null) return null;
      if (!HOLDER.test(holder)) throw new AppError('invalid_argument', BAD_HOLDER);
      return { key: `browser:${holder}`, userRowId: null };
    default:
      return null;
  }
}

/** The same where there must be one. @throws AppError `invalid_argument`; `failed_precondition` where none is named */
export function reviewerOf(caller: Caller, holder: string | null): Reviewer {
  const reviewer = findReviewer(caller, holder);
  if (reviewer === null) throw new AppError('failed_precondition', NO_HOLDER);
  return reviewer;
}

/** The account of a reviewer; `null` for those without one. */
export function accountOfReviewer(key: string): number | null {
  const rowId = /^user:(\d{1,16})$/.exec(key)?.[1];
  return rowId === undefined ? null : Number(rowId);
}

const HOLDER = /^[A-Za-z0-9_-]{8,64}$/;
const BAD_HOLDER = 'A holder is a key of 8 to 64 letters, digits, hyphens and underscores.';
const NO_HOLDER = 'Authentication is off, so name yourself: give a random key of 8 to 64 characters as the holder.';

/** The content as it is stored; an empty text is none. @throws AppError `invalid_argument` */
export function checkQueue(content: QueueContent): QueueContent {
  const name = content.name.trim();
  if (!VISIBLE.test(name)) throw invalid('A queue needs a name.');
  if (name.length > MAX_NAME_LENGTH) throw invalid(`The name of a queue has at most ${MAX_NAME_LENGTH} characters.`);
  if (UNPRINTABLE.test(name)) throw invalid('The name of a queue cannot have control characters or direction marks.');
  assertWhole('reviewsPerItem', content.reviewsPerItem, MAX_REVIEWS);
  assertWhole('holdMinutes', content.holdMinutes, MAX_HOLD_MINUTES);
  return {
    ...content,
    name,
    description: checkText('The description', content.description, MAX_DESCRIPTION_LENGTH),
    instructions: checkText('The instructions', content.instructions, MAX_INSTRUCTIONS_LENGTH),
  };
}

/** The share that a rule takes. @throws AppError `invalid_argument` */
export function checkSamplePercent(percent: number): number {
  if (percent > 0 && percent <= 100) return percent;
  throw invalid('A sample is more than 0 and at most 100 percent.');
}

/** The filter of a rule as it is stored; a blank one is none. @throws AppError `invalid_argument` */
export function checkRuleFilter(filter: string | null): string | null {
  return checkText('The filter', filter, MAX_RULE_FILTER_LENGTH);
}

/** Says that an item is not there. */
export function noSuchItem(): AppError {
  return new AppError('not_found', 'There is no such item in a review queue.');
}

function assertWhole(what: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw invalid(`${what} is a whole number from 1 to ${most}.`);
}

function checkText(what: string, given: string | null, maxLength: number): string | null {
  const text = given?.trim() ?? '';
  if (text === '') return null;
  if (text.length > maxLength) throw invalid(`${what} of a queue has at most ${maxLength} characters.`);
  if (UNPRINTABLE_IN_LINES.test(text)) throw invalid(`${what} of a queue cannot have control characters.`);
  return text;
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message);
}

/** Of all of them; pages list them by name. */
export const MAX_QUEUES = 1000;
/** Of a queue. */
export const MAX_QUEUE_CONFIGS = 50;
/** Of a queue. */
export const MAX_RULES = 20;
/** That one call removes. */
export const MAX_REMOVED_ITEMS = 1000;
/** Minutes that a hold lasts unless the queue says otherwise. */
export const DEFAULT_HOLD_MINUTES = 15;

/** Of a name, in characters. */
export const MAX_NAME_LENGTH = 200;
/** Of a description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 10_000;
/** Of instructions, in characters. */
export const MAX_INSTRUCTIONS_LENGTH = 20_000;
/** Of the filter of a rule, in characters. */
export const MAX_RULE_FILTER_LENGTH = 8000;
/** Reviews of one item. */
export const MAX_REVIEWS = 5;
/** Longest hold of an item. */
export const MAX_HOLD_MINUTES = 240;

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** Control characters, halves of characters, line breaks, and marks that turn the text around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;
/** The same but for the line breaks and tabs of a longer text; right-to-left languages need the marks. */
const UNPRINTABLE_IN_LINES = /\p{Cs}|[^\P{Cc}\n\r\t]/u;
