/** What the types are called in messages. */
export const TYPE_NAMES = {
  text: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  date: 'a time',
  any: 'an attribute',
} as const;
