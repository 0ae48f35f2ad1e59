import { Name } from '#ui/components/name.tsx';
import { formatExact, formatTokens, formatUsd, formatUsdBriefly, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './user-page.module.css';

/** What the calls of a model come to. */
export interface UsedModel {
  /** Null for all that are not named. */
  readonly name: string | null;
  readonly count: number;
  readonly tokenCountTotal: number;
  readonly costTotal: number;
}

/** The models that were called for a user, the most expensive first. */
export function UserModels(props: { readonly models: readonly UsedModel[]; readonly otherCount: number }) {
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
