/** Pages of lists of traces and sessions that a filter may narrow. */
import type { AnnotationPage, AnnotationPageRequest } from '#domain/annotation-page';
import type { KeysetPage, KeysetRequest, Looked } from '#domain/page';
import { type AnnotatedSort, browseAnnotated } from './annotation-order.ts';
import type { Builder, ObjectRows } from './builder.ts';
import type { Connection, PageArguments } from './connection.ts';
import { browse, type Orders, type SortArgument } from './keyset.ts';

/** A page, with how far it was looked for and how the matches of its list are counted where there is a filter. */
export interface FilteredPage<Row> extends Connection<Row> {
  readonly looked?: Looked | undefined;
  readonly count?: (() => Promise<ObjectRows['SpanMatchCount']>) | undefined;
}

/** How long the matches of a list are counted, in milliseconds. */
export const COUNT_MS = 5000;

/** Counting may read all of a project. */
const COUNT_COST = 100;

/** One page, forward. @throws AppError `invalid_argument` for arguments that the list does not take */
export async function browseFiltered<Sort extends string, Row extends { readonly rowId: number }>(
  orders: Orders<Sort, Row>,
  sort: SortArgument<Sort>,
  args: PageArguments,
  read: (page: KeysetRequest<Sort>) => Promise<KeysetPage<Row>>,
  count: FilteredPage<Row>['count'],
): Promise<FilteredPage<Row>> {
  let looked: Looked | undefined;
  const connection = await browse(orders, sort, args, async (page) => {
    const found = await read(page);
    looked = found.looked;
    return found;
  });
  return { ...connection, looked, count };
}

/** The same in the order of annotations. */
export async function browseAnnotatedFiltered<Row>(
  sort: AnnotatedSort,
  args: PageArguments,
  read: (page: AnnotationPageRequest) => Promise<AnnotationPage<Row>>,
  count: FilteredPage<Row>['count'],
): Promise<FilteredPage<Row>> {
  let looked: Looked | undefined;
  const connection = await browseAnnotated(sort, args, async (page) => {
    const found = await read(page);
    looked = found.looked;
    return found;
  });
  return { ...connection, looked, count };
}

/** Adds to connections what such pages say. */
export function addFilteredPage(builder: Builder, connection: 'TraceConnection' | 'ProjectSessionConnection'): void {
  builder.objectFields(connection, (t) => ({
    looked: t.field({
      type: 'SpanPageLook',
      nullable: true,
      description: 'How far the server searched for a page with a filter; null without a filter.',
      resolve: (page) => page.looked,
    }),
    matchCount: t.field({
      type: 'SpanMatchCount',
      nullable: true,
      cost: COUNT_COST,
      description:
        'Matches in the whole list, as far as they could be counted in a few seconds; null without a filter.',
      resolve: (page) => page.count?.(),
    }),
  }));
}
