/** Texts of spans that are put together for one answer, beside a span that is larger alone: far more than a client, or this server, should hold at once. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
