/** Rows that a table reads at a time. The first page is part of the table's own query and says so there. */
export const PAGE_SIZE = 100;
