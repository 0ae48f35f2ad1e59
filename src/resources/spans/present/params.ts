import { z } from 'zod';

/** What paths of a span name. */
export const SPAN_PARAMS = z.object({ span_identifier: z.string().describe('Id or OpenTelemetry id of a span.') });
