/** What the palette offers, and which of it answers to what is typed. */

/** In the order in which they are shown. */
export const PALETTE_GROUPS = [
  'Jump to',
  'Recent',
  'Projects',
  'Views',
  'Project pages',
  'Pages',
  'Actions',
  'Texts',
] as const;

/** See {@link PALETTE_GROUPS}. */
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** What a line of the palette is found by. */
export interface Findable {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Further words that it is found by. */
  readonly keywords?: string;
}

/** How many items are offered before anything is typed, of groups that may be long. */
const OFFERED_AT_FIRST: Readonly<Partial<Record<PaletteGroup, number>>> = { Recent: 6, Views: 5, 'Project pages': 0 };

/**
 * The items that answer to a text, group by group, in each the best first; when it is empty, all but those that long groups keep back.
 * What the server found by the text (`Jump to`), and what takes the text on (`Texts`), is kept as it is.
 */
export function findItems<T extends Findable>(items: readonly T[], text: string): readonly T[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const groups = PALETTE_GROUPS.map((group) => {
    const own = items.filter((item) => item.group === group);
    if (words.length === 0) return own.slice(0, OFFERED_AT_FIRST[group]);
    if (group === 'Jump to' || group === 'Texts') return own;
    return own
      .map((item) => ({ item, rank: rankOf(item, words) }))
      .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  });
  const seen = new Set<string>();
  return groups.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Less is better: the label begins so, a word of it does, it is inside; infinite where a word is found nowhere. */
function rankOf({ label, keywords = '' }: Findable, words: readonly string[]): number {
  const name = label.toLowerCase();
  const others = keywords.toLowerCase();
  let rank = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at === 0) continue;
    if (at > 0) rank += /[a-z0-9]/.test(name[at - 1] ?? '') ? 2 : 1;
    else if (others.includes(word)) rank += 3;
    else return Number.POSITIVE_INFINITY;
  }
  return rank;
}

/** What a text may be the id of. */
export interface PossibleIds {
  /** 32 hexadecimal figures, small, without the dashes of a UUID. */
  readonly traceId: string | undefined;
  /** 16 hexadecimal figures, small. */
  readonly spanId: string | undefined;
  /** Applications choose their own: any text that is long enough. */
  readonly sessionId: string | undefined;
  /** 4 to 31 hexadecimal figures, small: what tables show of the ids of traces and spans. */
  readonly prefix: string | undefined;
  /** The beginning of an application's own id, in its case. */
  readonly sessionPrefix: string | undefined;
}

const MIN_SESSION_ID_LENGTH = 3;
const MAX_SESSION_ID_LENGTH = 1000;

/** Reads a text, as it is pasted, as an id. */
export function readIds(text: string): PossibleIds {
  const id = text.trim();
  const figures = id.replaceAll('-', '').toLowerCase();
  return {
    traceId: /^[0-9a-f]{32}$/.test(figures) ? figures : undefined,
    spanId: /^[0-9a-f]{16}$/.test(figures) ? figures : undefined,
    sessionId: id.length >= MIN_SESSION_ID_LENGTH && id.length <= MAX_SESSION_ID_LENGTH ? id : undefined,
    prefix: /^[0-9a-f]{4,31}$/.test(figures) ? figures : undefined,
    // A word of a project's name is no id: those that begin so have figures or marks in them.
    sessionPrefix: /^(?=.*[\d/_:.-])\S{4,200}$/.test(id) ? id : undefined,
  };
}
