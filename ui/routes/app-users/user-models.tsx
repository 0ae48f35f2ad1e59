import { graphql } from 'react-relay';
import type { userModelsQuery } from '#ui/__generated__/userModelsQuery.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, formatTokens, formatUsd, formatUsdBriefly, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import type { ListScope } from '../project/list-scope.ts';
import styles from './user-page.module.css';

const QUERY = graphql`
  query userModelsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        spanGroups(
          timeRange: $timeRange
          traceFilterCondition: $filter
          filterCondition: "model_name is not None"
          by: "model_name"
          sort: { col: costTotal, dir: desc }
          first: 5
        ) {
          otherGroupCount
          groups {
            isRest
            value
            count
            tokenCountTotal
            costTotal
          }
        }
      }
    }
  }
`;

/** The models that were called for a user, the most expensive first. */
export function UserModels({ scope }: { readonly scope: ListScope }) {
  const { projectId, timeRange, filter, refresh } = scope;
  const { data, error } = useAnswer<userModelsQuery>(QUERY, { projectId, timeRange, filter }, refresh);
  const found = data?.project.spanGroups;
  return (
    <div className={styles.chart}>
      {error !== undefined ? (
        <p role="alert" className={styles.failure}>
          The models could not be counted. {describeError(error)}
        </p>
      ) : found === undefined ? (
        <Skeleton width="100%" height="210px" />
      ) : (
        <ModelTable
          models={found.groups.map(({ isRest, value, ...sums }) => ({ ...sums, name: isRest ? null : String(value) }))}
          otherCount={found.otherGroupCount}
        />
      )}
    </div>
  );
}

/** What the calls of a model come to. */
interface UsedModel {
  /** Null for all that are not named. */
  readonly name: string | null;
  readonly count: number;
  readonly tokenCountTotal: number;
  readonly costTotal: number;
}

function ModelTable(props: { readonly models: readonly UsedModel[]; readonly otherCount: number }) {
  const { models, otherCount } = props;
  const most = Math.max(...models.map(({ costTotal }) => costTotal));
  return (
    <table className={styles.models}>
      <caption>Models</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Calls</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ name, count, tokenCountTotal: tokens, costTotal: cost }) => (
          <tr key={name ?? ''}>
            <th scope="row" title={name === null ? undefined : revealHidden(name)}>
              {name === null ? `${formatExact(otherCount)} other ${nounOf(otherCount, 'models')}` : <Name>{name}</Name>}
            </th>
            <td>{formatExact(count)}</td>
            <td title={formatExact(tokens)}>{tokens === 0 ? '–' : formatTokens(tokens)}</td>
            <td title={formatUsd(cost)}>
              {cost === 0 ? '–' : formatUsdBriefly(cost)}
              {cost > 0 && (
                <span className={styles.share} aria-hidden>
                  <span style={{ inlineSize: `${(cost / most) * 100}%` }} />
                </span>
              )}
            </td>
          </tr>
        ))}
        {models.length === 0 && (
          <tr>
            <td colSpan={4} className={styles.none}>
              No model was called in this time range.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
