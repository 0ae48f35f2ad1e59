/** Times in the bodies of requests. */
import { z } from 'zod';
import { parseTimestamp } from '#domain/timestamp';

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
