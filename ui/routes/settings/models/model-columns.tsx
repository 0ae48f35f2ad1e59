import { use } from 'react';
import { Badge } from '#ui/components/badge.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatUsd } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import settingsStyles from '../settings.module.css';
import { LastUsesContext } from './last-uses.ts';
import { ModelMenu } from './model-menu.tsx';
import type { ModelRow } from './model-rows.ts';
import { type PricePart, rateOf } from './price-form.ts';
import { Missing } from '../../project/cells.tsx';
import styles from './models-page.module.css';

/** The columns of the table of models. */
export const MODEL_COLUMNS: readonly TableColumn<ModelRow>[] = [
  { id: 'name', header: 'Name', size: 150, grows: true, canHide: false, render: (row) => <ModelName row={row} /> },
  { id: 'provider', header: 'Provider', size: 100, render: ({ provider }) => <Provider name={provider} /> },
  {
    id: 'pattern',
    header: 'Pattern',
    size: 130,
    grows: true,
    render: ({ namePattern }) => (
      <span className={settingsStyles.mono} title={namePattern}>
        {namePattern}
      </span>
    ),
  },
  { id: 'prompt', header: 'Prompt', size: 84, align: 'end', render: (row) => <Rate row={row} part="input" /> },
  {
    id: 'completion',
    header: 'Completion',
    size: 100,
    align: 'end',
    render: (row) => <Rate row={row} part="output" />,
  },
  { id: 'used', header: 'Last used', size: 84, render: ({ id }) => <LastUse id={id} /> },
  { id: 'start', header: 'From', size: 84, render: ({ startTime }) => <Timestamp value={startTime} /> },
  { id: 'kind', header: 'Kind', size: 80, render: ({ kind }) => <ModelKind kind={kind} /> },
  {
    id: 'updated',
    header: 'Updated',
    size: 92,
    isHiddenAtFirst: true,
    render: ({ updatedAt }) => <Timestamp value={updatedAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    size: 72,
    align: 'end',
    canHide: false,
    render: (row) => <ModelMenu price={row} />,
  },
];

/** A model where there is no room for columns. */
export function renderModelCard(row: ModelRow) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <ModelName row={row} />
        <ModelKind kind={row.kind} />
        <span className={settingsStyles.spring} />
        <ModelMenu price={row} />
      </div>
      <p className={settingsStyles.cardFacts}>
        <Provider name={row.provider} />
        <span>
          <Rate row={row} part="input" /> prompt
        </span>
        <span>
          <Rate row={row} part="output" /> completion
        </span>
        <CardUse id={row.id} />
      </p>
    </div>
  );
}

/** Whether people made a price, or it came with the product. */
export function ModelKind({ kind }: { readonly kind: string }) {
  return kind === 'CUSTOM' ? (
    <Badge tone="accent">Custom</Badge>
  ) : (
    <span className={settingsStyles.muted}>Built-in</span>
  );
}

function ModelName({ row }: { readonly row: ModelRow }) {
  return (
    <span className={settingsStyles.strong} title={revealHidden(row.name)}>
      <Name>{row.name}</Name>
    </span>
  );
}

function Provider({ name }: { readonly name: string | null }) {
  return name === null ? (
    <span className={settingsStyles.faint}>any</span>
  ) : (
    <span className={settingsStyles.muted}>
      <Name>{name}</Name>
    </span>
  );
}

/** The same in a sentence, where it ever was. */
function CardUse({ id }: { readonly id: string }) {
  const lastUse = use(LastUsesContext)?.get(id);
  return (
    lastUse !== undefined && (
      <span>
        used <Timestamp value={lastUse} />
      </span>
    )
  );
}

/** When a call last had the price; nothing until that is known. */
function LastUse({ id }: { readonly id: string }) {
  const lastUses = use(LastUsesContext);
  if (lastUses === undefined) return null;
  const lastUse = lastUses.get(id);
  return lastUse === undefined ? <Missing /> : <Timestamp value={lastUse} />;
}

function Rate({ row, part }: { readonly row: ModelRow; readonly part: PricePart }) {
  const usd = rateOf(row.tokenPrices, part);
  return (
    <span className={styles.rate} title={usd === undefined ? undefined : `$${usd} per million tokens`}>
      {formatUsd(usd)}
    </span>
  );
}
