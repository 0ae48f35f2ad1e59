import { Link } from '@tanstack/react-router';
import { graphql, readInlineData } from 'react-relay';
import { quoteText } from '#filter/lex-text';
import type { topModels_groups$key } from '#ui/__generated__/topModels_groups.graphql.ts';
import type { SpanMeasure, topModelsQuery } from '#ui/__generated__/topModelsQuery.graphql.ts';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useProjectView } from '../project/project-view.ts';
import type { Period } from './bucket-scale.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import styles from './metrics-page.module.css';

const QUERY = graphql`
  query topModelsQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $before: TimeRange
    $isCompared: Boolean!
    $measures: [SpanMeasure!]!
    $filter: String
  ) {
    project: node(id: $projectId) {
      ... on Project {
        aggregate(
          timeRange: $timeRange
          filterCondition: $filter
          measures: $measures
          groupBy: ["llm.model_name"]
          maxGroups: 50
        ) {
          ...topModels_groups
        }
        before: aggregate(
          timeRange: $before
          filterCondition: $filter
          measures: $measures
          groupBy: ["llm.model_name"]
          maxGroups: 50
        ) @include(if: $isCompared) {
          ...topModels_groups
        }
      }
    }
  }
`;

const GROUPS = graphql`
  fragment topModels_groups on SpanAggregation @inline {
    groups {
      key
      series {
        values
      }
    }
  }
`;

const MAX_ROWS = 6;

const HAS_MODEL = 'llm.model_name is not None';

/** The models that come to most. */
export function TopModels(props: {
  readonly by: SpanMeasure;
  readonly title: string;
  readonly format: (value: number) => string;
  /** The time before, where it is wanted. */
  readonly compared: Period['before'];
  /** The filter for spans; null shows the whole project. */
  readonly shown: string | null;
}) {
  const { compared, format } = props;
  const { projectId, timeRange, refreshCount } = useProjectView();
  const { project } = useQuery<topModelsQuery>(
    QUERY,
    {
      projectId,
      timeRange,
      before: compared?.range ?? null,
      isCompared: compared !== null,
      measures: [props.by],
      filter: joinFilters(props.shown, HAS_MODEL),
    },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  const before = project.before === undefined ? null : new Map(readValues(project.before));
  const rows = (project.aggregate === undefined ? [] : readValues(project.aggregate))
    .filter(([, value]) => value > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_ROWS);
  const most = rows[0]?.[1] ?? 1;
  return (
    <table className={styles.models}>
      <caption className={styles.title}>{props.title}</caption>
      {before !== null && rows.length > 0 && (
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th aria-hidden />
            <th scope="col">Current</th>
            <th scope="col">Previous</th>
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name ?? ''}>
            <th scope="row" title={name ?? undefined}>
              {name === null ? (
                'Other'
              ) : (
                <Link
                  to="/projects/$projectId/spans"
                  params={{ projectId }}
                  search={({ range, start, end }: TimeRangeSearch) => ({
                    range,
                    start,
                    end,
                    filter: joinFilters(props.shown, `llm.model_name == ${quoteText(name)}`) ?? undefined,
                  })}
                >
                  {name}
                </Link>
              )}
            </th>
            <td aria-hidden>
              <span className={styles.bar} style={{ inlineSize: `${(value / most) * 100}%` }} />
            </td>
            <td>{format(value)}</td>
            {before !== null && <td className={styles.before}>{format(before.get(name) ?? 0)}</td>}
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td className={styles.none}>No data in this time range.</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function readValues(key: topModels_groups$key): [name: string | null, value: number][] {
  return readInlineData(GROUPS, key).groups.map((group) => [
    typeof group.key?.[0] === 'string' ? group.key[0] : null,
    group.series[0]?.values[0] ?? 0,
  ]);
}
