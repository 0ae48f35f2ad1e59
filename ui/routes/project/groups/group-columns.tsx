import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatCount, formatDuration, formatExact, formatShare, formatUsdBriefly, nounOf } from '#ui/lib/format.ts';
import { LatencyCell } from '../cells.tsx';
import styles from '../cells.module.css';
import { CostSumCell, ErrorRateCell, TokenSumCell } from '../figure-cells.tsx';
import type { Grouping } from './groupings.ts';

/** A row of a grouped table. */
export interface GroupRow {
  readonly id: string;
  /** Stands for all groups that are not named; how many these are. */
  readonly otherCount: number | null;
  /** Null where its rows have no value. */
  readonly value: unknown;
  /** That its rows match; null for the rest. */
  readonly filter: string | null;
  readonly count: number;
  readonly errorRate: number;
  readonly latencyMsP50: number | null;
  readonly latencyMsP95: number | null;
  readonly tokenCountTotal: number;
  readonly costTotal: number;
  readonly lastStartTime: string;
}

/** The columns of groups; `noun` is what they are of, as a heading: `Spans`. */
export function groupColumns(grouping: Grouping, noun: string): readonly TableColumn<GroupRow>[] {
  const number = { size: 96, align: 'end', isSortable: true } as const;
  return [
    {
      id: 'value',
      header: grouping.label,
      size: 240,
      grows: true,
      canHide: false,
      render: (group) => <GroupName group={group} grouping={grouping} />,
    },
    { ...number, id: 'count', header: noun, render: ({ count }) => <Count value={count} /> },
    {
      ...number,
      id: 'errors',
      header: 'Error rate',
      description: 'Share that failed',
      render: ({ errorRate, count }) => <ErrorRateCell rate={errorRate} count={count} />,
    },
    {
      ...number,
      id: 'p50',
      header: 'P50',
      description: 'Half are faster',
      size: 136,
      render: ({ latencyMsP50 }) => <LatencyCell ms={latencyMsP50} />,
    },
    {
      ...number,
      id: 'p95',
      header: 'P95',
      description: '95 % are faster',
      size: 136,
      render: ({ latencyMsP95 }) => <LatencyCell ms={latencyMsP95} />,
    },
    {
      ...number,
      id: 'tokens',
      header: 'Tokens',
      description: 'Tokens of model calls, counted once',
      render: ({ tokenCountTotal }) => <TokenSumCell tokens={tokenCountTotal} />,
    },
    {
      ...number,
      id: 'cost',
      header: 'Cost',
      description: 'Cost of model calls, counted once',
      render: ({ costTotal }) => <CostSumCell cost={costTotal} />,
    },
    {
      id: 'last',
      header: 'Last seen',
      size: 120,
      isSortable: true,
      render: ({ lastStartTime }) => <Timestamp value={lastStartTime} />,
    },
  ];
}

/** What the rows of a group have in common, in words. */
export function describeGroup({ otherCount, value }: GroupRow, grouping: Grouping): string {
  if (otherCount !== null) {
    return otherCount === 0 ? `Other ${grouping.plural}` : `${formatExact(otherCount)} other ${grouping.plural}`;
  }
  if (value === null || value === '') return grouping.missing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function GroupName({ group, grouping }: { readonly group: GroupRow; readonly grouping: Grouping }) {
  const text = describeGroup(group, grouping);
  if (group.otherCount !== null || group.value === null || group.value === '') {
    return <span className={styles.faint}>{text}</span>;
  }
  return (
    <span className={styles.groupName} title={text}>
      <Name>{text}</Name>
    </span>
  );
}

/** A group where there is no room for columns. */
export function GroupCard(props: { readonly group: GroupRow; readonly grouping: Grouping; readonly noun: string }) {
  const { group, grouping, noun } = props;
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.cardName}>
          <GroupName group={group} grouping={grouping} />
        </span>
        <span className={styles.faint}>
          <Timestamp value={group.lastStartTime} />
        </span>
      </div>
      <div className={styles.facts}>
        <span>
          {formatCount(group.count)} {nounOf(group.count, noun)}
        </span>
        {group.errorRate > 0 && <span className={styles.errors}>{formatShare(group.errorRate)} failed</span>}
        <span>P95 {formatDuration(group.latencyMsP95)}</span>
        {group.costTotal > 0 && <span>{formatUsdBriefly(group.costTotal)}</span>}
      </div>
    </div>
  );
}
