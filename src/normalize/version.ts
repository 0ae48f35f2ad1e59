/**
 * The number of today's rules. It is stored with what they read, so that a server knows which spans were read by others
 * and can offer to read them again: add one with every release that reads an already stored span differently.
 */
export const NORMALIZER_VERSION = 4;
