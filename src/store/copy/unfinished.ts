/** Of a database into which a copy was begun. */
export const UNFINISHED_COPY = 'an incomplete copy, which cairn db copy can finish';
