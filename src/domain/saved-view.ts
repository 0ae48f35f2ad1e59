/** Saved views: what a table of a project shows and how, under a name. The pages read and write the same content. */
import { AppError } from '#base/errors';
import { type Caller, userRowIdOf } from './caller.ts';

/** The tables that have views. */
export const VIEW_TABLES = ['traces', 'spans', 'sessions'] as const;

/** One of {@link VIEW_TABLES}. */
export type ViewTable = (typeof VIEW_TABLES)[number];

/** What a view keeps. What is left out is as it is in a table that nobody has changed. */
export interface ViewContent {
  /** In the filter language. */
  readonly filter?: string | undefined;
  /** A range that follows the clock, as `7d`, or `all`. */
  readonly range?: string | undefined;
  /** ISO 8601, of a range that does not. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** `column:direction`. */
  readonly sort?: string | undefined;
  readonly group?: string | undefined;
  readonly spans?: 'roots' | undefined;
  readonly density?: 'compact' | 'regular' | 'tall' | undefined;
  readonly columns?: ViewColumns | undefined;
  /** Attributes that have a column. */
  readonly attributes?: readonly string[] | undefined;
}

/** Which columns are shown, in which order, how many pixels wide. */
export interface ViewColumns {
  readonly order: readonly string[];
  readonly visibility: Readonly<Record<string, boolean>>;
  readonly sizes: Readonly<Record<string, number>>;
}

/** A saved view, without its content. */
export interface SavedView {
  readonly rowId: number;
  readonly projectRowId: number;
  readonly table: ViewTable;
  readonly name: string;
  /** `null` where it belongs to nobody: saved without an account, or the account was deleted. */
  readonly ownerRowId: number | null;
  /** Everybody who may read the project sees it; a personal view only its owner. */
  readonly isShared: boolean;
  /** Whether the table opens with it, for everybody who has chosen no other one. */
  readonly isSharedDefault: boolean;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
}

/** In characters. */
export const MAX_VIEW_NAME = 100;
/** Of one owner in one project. */
export const MAX_VIEWS_OF_OWNER = 200;
/** Of all owners in one project; lists of views have no pages. */
export const MAX_SHARED_VIEWS = 1000;
/** Of the JSON text, in characters. */
export const MAX_VIEW_LENGTH = 16_384;

const MAX_FILTER_LENGTH = 8000;
const MAX_TEXT_LENGTH = 200;
/** A column of an attribute is called by its path. */
const MAX_COLUMN_LENGTH = 220;
const MAX_COLUMNS = 100;
const MAX_ATTRIBUTES = 12;
const MAX_COLUMN_WIDTH = 10_000;

/** The name as it is stored. @throws AppError `invalid_argument` */
export function checkViewName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_VIEW_NAME) {
    throw new AppError('invalid_argument', `A view needs a name of at most ${MAX_VIEW_NAME} characters.`);
  }
  if (UNPRINTABLE.test(trimmed)) {
    throw new AppError('invalid_argument', 'The name of a view cannot have control characters or direction marks.');
  }
  return trimmed;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

/** The content as it is stored: the same content is always the same text. @throws AppError `invalid_argument` */
export function checkViewContent(text: string): string {
  return formatViewContent(readViewContent(text));
}

/** The content that a text holds. @throws AppError `invalid_argument` with the first fault */
export function readViewContent(text: string): ViewContent {
  if (text.length > MAX_VIEW_LENGTH) {
    throw new AppError(
      'invalid_argument',
      `The content of a view has at most ${MAX_VIEW_LENGTH} characters: remove columns, or shorten the filter.`,
    );
  }
  const entries = Object.entries(toRecord(parse(text), 'The content'));
  const content: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (!Object.hasOwn(READERS, key)) throw invalid(`The content of a view has no ${JSON.stringify(key)}.`);
    content[key] = READERS[key as keyof ViewContent](value, key);
  }
  return content;
}

/** The content as text. Neither the order of keys nor parts without a value make a difference. */
export function formatViewContent(content: ViewContent): string {
  return JSON.stringify(content, sortKeys);
}

/** Whether the caller may rename, update, share and delete a view: its owner and administrators, while they see it. */
export function mayChangeView(
  caller: Caller,
  { ownerRowId, isShared }: Pick<SavedView, 'ownerRowId' | 'isShared'>,
): boolean {
  const isOwner = ownerRowId !== null && ownerRowId === userRowIdOf(caller);
  return caller.role !== 'viewer' && (isOwner || (isShared && caller.role === 'admin'));
}

/** The account that views belong to which the caller saves; `null` where they belong to nobody. */
export function ownerOfViews(caller: Caller): number | null {
  return userRowIdOf(caller);
}

/** The account that has a default view of its own. @throws AppError `permission_denied` for callers without an account */
export function assertHasAccount(caller: Caller): number {
  const userRowId = userRowIdOf(caller);
  if (userRowId !== null) return userRowId;
  throw new AppError('permission_denied', 'Only people who signed in have a default view of their own.');
}

type Reader = (value: unknown, what: string) => unknown;

const READERS: Readonly<Record<keyof ViewContent, Reader>> = {
  filter: (value, what) => readText(value, what, MAX_FILTER_LENGTH),
  range: readText,
  start: readText,
  end: readText,
  sort: readText,
  group: readText,
  spans: (value, what) => readChoice(value, what, ['roots']),
  density: (value, what) => readChoice(value, what, ['compact', 'regular', 'tall']),
  columns: readColumns,
  attributes: (value, what) => readTexts(value, what, { most: MAX_ATTRIBUTES, length: MAX_TEXT_LENGTH }),
};

function readColumns(value: unknown, what: string): ViewColumns {
  const { order, visibility, sizes, ...rest } = toRecord(value, what);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalid(`${what} of a view has no ${JSON.stringify(unknown)}.`);
  return {
    order: readTexts(order, `${what}.order`, { most: MAX_COLUMNS, length: MAX_COLUMN_LENGTH }),
    visibility: readByColumn(visibility, `${what}.visibility`, (one) => typeof one === 'boolean'),
    sizes: readByColumn(
      sizes,
      `${what}.sizes`,
      (one): one is number => typeof one === 'number' && one >= 0 && one <= MAX_COLUMN_WIDTH,
    ),
  };
}

function readByColumn<Value>(
  value: unknown,
  what: string,
  isValid: (one: unknown) => one is Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(toRecord(value, what));
  const valid = entries.filter((entry): entry is [string, Value] => isValid(entry[1]));
  const isBounded = entries.length <= MAX_COLUMNS && entries.every(([id]) => id.length <= MAX_COLUMN_LENGTH);
  if (valid.length < entries.length || !isBounded) {
    throw invalid(`${what} needs a value for each of at most ${MAX_COLUMNS} columns.`);
  }
  return Object.fromEntries(valid);
}

function readTexts(
  value: unknown,
  what: string,
  { most, length }: { readonly most: number; readonly length: number },
): readonly string[] {
  if (!Array.isArray(value) || value.length > most) throw invalid(`${what} is a list of at most ${most} names.`);
  return value.map((one) => readText(one, what, length));
}

function readText(value: unknown, what: string, maxLength: number | undefined = MAX_TEXT_LENGTH): string {
  if (typeof value === 'string' && value.length <= maxLength && value.isWellFormed()) return value;
  throw invalid(`${what} is a text of at most ${maxLength} characters.`);
}

function readChoice(value: unknown, what: string, choices: readonly string[]): string {
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw invalid(`${what} is one of ${choices.join(', ')}.`);
  return chosen;
}

function toRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalid(`${what} is a JSON object.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The content of a view is a JSON object; this is not JSON.');
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
