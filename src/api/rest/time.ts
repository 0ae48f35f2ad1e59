/** Times in the bodies of requests. */
import { z } from 'zod';
import { parseTimestamp } from '#domain/timestamp';

/** What {@link parseTimestamp} reads, for the document: Unix times reach to the end of the year 9999, in seconds or milliseconds. */
export const TIME_FORMS = {
  type: ['string', 'number'],
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
    { type: 'number', minimum: -253_402_300_799_000, maximum: 253_402_300_799_000 },
  ],
} as const;

/** An ISO 8601 time; read as microseconds since the Unix epoch. */
export const TIME = z
  .string()
  .transform((text, context) => {
    const timeUs = parseTimestamp(text);
    if (timeUs !== undefined) return timeUs;
    context.addIssue({ code: 'custom', message: 'Input should be a valid datetime' });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });
