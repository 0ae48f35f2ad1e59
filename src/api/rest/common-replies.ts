/** Answers that are the same for many operations, as components of the document. */
import { z } from 'zod';
import type { ReplyDeclaration, Route } from './route.ts';

const VALIDATION_PROBLEMS = z
  .object({
    detail: z.array(
      z.object({
        type: z.string(),
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        input: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'ValidationProblems' });

const TEXT = { contentType: 'text/plain' } as const;
const RETRY_AFTER = { 'retry-after': 'Seconds until the next attempt.' };

/** The answers, by the names of their components. */
export const COMMON_REPLIES = {
  Malformed: { ...TEXT, description: 'The request is malformed; the text says where.' },
  Unauthenticated: {
    ...TEXT,
    description: 'Credentials are missing, wrong or expired, or the request comes from a page that is not trusted.',
    headers: { 'www-authenticate': 'How to authenticate.' },
  },
  Forbidden: { ...TEXT, description: 'The caller may not do this; the text says why.' },
  Missing: { ...TEXT, description: 'Something that the request names does not exist.' },
  Late: { ...TEXT, description: 'The request did not arrive in time.' },
  TooLarge: { ...TEXT, description: 'The body is larger than the limit.' },
  Unsupported: { ...TEXT, description: 'The server does not read this content type or encoding.' },
  Invalid: {
    description:
      'A parameter or the body is not valid. Errors in form are reported as JSON, errors in meaning as text.',
    contentType: ['application/json', 'text/plain'],
    schema: VALIDATION_PROBLEMS,
  },
  Busy: { ...TEXT, description: 'Too many requests at once.', headers: RETRY_AFTER },
  LongHeaders: { ...TEXT, description: 'Address and headers are longer than 65,536 bytes.' },
  Failed: { ...TEXT, description: 'The server failed, or stored data is damaged.' },
  NotOffered: { ...TEXT, description: 'This version does not offer a parameter of the request.' },
  Unavailable: { ...TEXT, description: 'The server cannot do this at the moment.', headers: RETRY_AFTER },
  Overdue: { ...TEXT, description: 'The work did not finish in time. It may still take effect.' },
  Full: { ...TEXT, description: 'There is no room left to store this.' },
} as const satisfies Readonly<Record<string, ReplyDeclaration>>;

/** The name of a common answer. */
export type CommonReply = keyof typeof COMMON_REPLIES;

/** The common answers of a route by their statuses; those that the route declares itself take precedence. */
export function commonReplies({
  method,
  params,
  query,
  body,
  streamedBody,
}: Route): Readonly<Record<number, CommonReply>> {
  const hasBody = body !== undefined || streamedBody !== undefined;
  return {
    400: 'Malformed',
    401: 'Unauthenticated',
    403: 'Forbidden',
    404: 'Missing',
    ...(hasBody && { 408: 'Late', 413: 'TooLarge', 415: 'Unsupported' }),
    ...((params !== undefined || query !== undefined || hasBody || method === 'DELETE') && { 422: 'Invalid' }),
    429: 'Busy',
    431: 'LongHeaders',
    500: 'Failed',
    ...(query !== undefined && { 501: 'NotOffered' }),
    503: 'Unavailable',
    504: 'Overdue',
    ...(method !== 'GET' && { 507: 'Full' }),
  };
}
