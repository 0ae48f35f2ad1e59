/** How many registered applications are kept, and for how long. */
import { AppError } from '#base/errors';
import type { RecordScope } from '#store/commands/command';

/** @throws AppError `resource_exhausted` */
export async function assertRoomForApplication({ db, nowUs }: RecordScope, from: string): Promise<void> {
  const unused = await db
    .selectFrom('oauth2_clients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('registered_from', '=', from)
    .where('created_at_us', '>', nowUs - DAY_US)
    .where('last_used_at_us', 'is', null)
    .executeTakeFirstOrThrow();
  const all = await db
    .selectFrom('oauth2_clients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (unused.count < MAX_UNUSED && all.count < MAX_APPLICATIONS) return;
  throw new AppError(
    'resource_exhausted',
    'Too many applications were registered that nobody uses. Try again tomorrow.',
    {
      retryAfterSeconds: DAY_US / 1e6,
    },
  );
}

/** Deletes applications that nobody let in for a week, or that hold no grant any more and were let in last a month ago. */
export async function purgeApplications({ db, nowUs }: RecordScope): Promise<void> {
  const dead = db
    .selectFrom('oauth2_clients as clients')
    .select('clients.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('last_used_at_us', 'is', null), eb('created_at_us', '<', nowUs - 7 * DAY_US)]),
        eb.and([
          eb('last_used_at_us', '<', nowUs - 30 * DAY_US),
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth2_grants as grants')
                .select('grants.sign_in_id')
                .whereRef('grants.client_id', '=', 'clients.client_id'),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('created_at_us')
    .limit(PURGED_AT_ONCE);
  await db.deleteFrom('oauth2_clients').where('id', 'in', dead).execute();
}

const DAY_US = 24 * 3600 * 1e6;
/** Of one network in a day. */
const MAX_UNUSED = 50;
/** Of all. */
const MAX_APPLICATIONS = 10_000;
const PURGED_AT_ONCE = 500;
