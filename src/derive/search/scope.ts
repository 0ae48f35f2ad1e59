/** Where in a span a text is. */
export const SEARCH_PLACES = ['input', 'output', 'names', 'errors', 'other'] as const;

/** One of {@link SEARCH_PLACES}. */
export type SearchPlace = (typeof SEARCH_PLACES)[number];

/** Which texts of spans a search covers: one place, or all of them. */
export const SEARCH_SCOPES = ['everything', 'input', 'output', 'names', 'errors'] as const;

/** One of {@link SEARCH_SCOPES}. */
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** Places as bits; 5 of them. */
export type PlaceBits = number;

/** The bit of a place. */
export function placeBit(place: SearchPlace): PlaceBits {
  return 1 << SEARCH_PLACES.indexOf(place);
}

/** Every place. */
export const ALL_PLACES: PlaceBits = (1 << SEARCH_PLACES.length) - 1;

/** The places that a scope looks at. */
export function scopeBits(scope: SearchScope): PlaceBits {
  return scope === 'everything' ? ALL_PLACES : placeBit(scope);
}

/** The places of the bits. */
export function placesOf(bits: PlaceBits): readonly SearchPlace[] {
  return SEARCH_PLACES.filter((place) => (bits & placeBit(place)) !== 0);
}

/**
 * Where the words that a span's texts are indexed by may not be all that its values hold, as bits: of each place, and
 * {@link ESCAPES}.
 */
export type Doubts = number;

/** JSON in which a character may be written by its number (`\\u00e9`), so that what follows reads as part of the number. */
export const ESCAPES: Doubts = 1 << SEARCH_PLACES.length;

/** Nothing of the span is known. */
export const ALL_DOUBTS: Doubts = ALL_PLACES | ESCAPES;
