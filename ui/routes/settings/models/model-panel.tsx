import { Link, useParams } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { useDeferredValue } from 'react';
import { graphql } from 'react-relay';
import type { modelPanelQuery } from '#ui/__generated__/modelPanelQuery.graphql.ts';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, formatUsd } from '#ui/lib/format.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { DetailsFact, DetailsFacts, DetailsPanel, DetailsWays } from '../details-panel.tsx';
import { ModelKind } from './model-columns.tsx';
import { ModelMenu } from './model-menu.tsx';
import { partOf, type TokenPrice } from './price-form.ts';
import { toModelRow } from './model-rows.ts';
import styles from './models-page.module.css';

/** The price that the address names, with all its token types. */
export function ModelPanel() {
  // The last one stays until the next one is there.
  const modelId = useDeferredValue(useParams({ strict: false }).modelId ?? '');
  if (!isNodeId('GenerativeModel', modelId)) return <NoModel />;
  return (
    <ErrorBoundary fallbackTitle="The model could not be loaded" resetKey={modelId} missing={<NoModel />}>
      <FoundModel modelId={modelId} />
    </ErrorBoundary>
  );
}

function FoundModel({ modelId }: { readonly modelId: string }) {
  const mayAudit = useMay('administer');
  const { model } = useQuery<modelPanelQuery>(
    graphql`
      query modelPanelQuery($modelId: ID!) {
        model: node(id: $modelId) {
          ... on GenerativeModel @alias(as: "found") {
            id
            name
            provider
            namePattern
            kind
            startTime
            createdAt
            updatedAt
            tokenPrices {
              kind
              tokenType
              costPerMillionTokens
            }
            longPromptPrices {
              abovePromptTokens
              tokenPrices {
                kind
                tokenType
                costPerMillionTokens
              }
            }
          }
        }
      }
    `,
    { modelId },
    { fetchPolicy: 'store-and-network' },
  );
  const { found } = model;
  if (found == null) return <NoModel />;
  const row = toModelRow(found);
  const isOwn = row.kind === 'CUSTOM';
  return (
    <DetailsPanel
      label={`Model ${row.name}`}
      table="/settings/models"
      title={<Name>{row.name}</Name>}
      actions={<ModelMenu price={row} />}
    >
      <DetailsFacts>
        <DetailsFact label="Kind">
          <ModelKind kind={row.kind} />
        </DetailsFact>
        <DetailsFact label="Provider">{row.provider ?? 'Any'}</DetailsFact>
        <DetailsFact label="Pattern">
          <code className={styles.pattern}>{row.namePattern}</code>
          <CopyButton text={row.namePattern} label="Copy pattern" />
        </DetailsFact>
        <DetailsFact label="Applies from">
          {row.startTime === null ? 'The beginning' : <Timestamp value={row.startTime} style="full" />}
        </DetailsFact>
        <DetailsFact label={isOwn ? 'Created' : 'As of'}>
          <Timestamp value={found.createdAt} style="full" />
        </DetailsFact>
        {isOwn && (
          <DetailsFact label="Updated">
            <Timestamp value={row.updatedAt} style="full" />
          </DetailsFact>
        )}
      </DetailsFacts>
      <Prices title="Prices" prices={row.tokenPrices} />
      {row.longPromptPrices.map(({ abovePromptTokens, tokenPrices }) => (
        <Prices
          key={abovePromptTokens}
          title={`Above ${formatExact(abovePromptTokens)} prompt tokens`}
          prices={tokenPrices}
        />
      ))}
      {isOwn && mayAudit && (
        <DetailsWays>
          <Link to="/settings/audit-log" search={{ object: row.id, objectName: row.name }}>
            What was done to this price
          </Link>
        </DetailsWays>
      )}
    </DetailsPanel>
  );
}

function Prices({ title, prices }: { readonly title: string; readonly prices: readonly TokenPrice[] }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      <table className={styles.prices}>
        <thead>
          <tr>
            <th scope="col">Tokens</th>
            <th scope="col">Per million</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={`${price.kind} ${price.tokenType}`}>
              <th scope="row">{partOf(price)?.label ?? price.tokenType}</th>
              <td title={`$${price.costPerMillionTokens}`}>{formatUsd(price.costPerMillionTokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NoModel() {
  return (
    <DetailsPanel label="Model" title="Model" table="/settings/models">
      <EmptyState icon={Coins} title="There is no such model">
        The price was deleted, or the address is mistyped.
      </EmptyState>
    </DetailsPanel>
  );
}
