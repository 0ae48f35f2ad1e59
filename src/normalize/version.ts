/**
 * The number of today's rules. It is stored with what they read, so that a server knows which spans were read by others
 * and can offer to read them anew: add one with every release in which a span that is already stored would be read otherwise.
 */
export const NORMALIZER_VERSION = 1;
