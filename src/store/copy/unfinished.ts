/** Of a database into which a copy was begun. */
export const UNFINISHED_COPY = 'a copy that is not whole, which cairn db copy can finish';
