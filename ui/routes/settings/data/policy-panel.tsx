import { Link, useParams } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useDeferredValue } from 'react';
import { graphql } from 'react-relay';
import type { policyPanelQuery } from '#ui/__generated__/policyPanelQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { describeRule } from '../../retention/retention-rule.ts';
import { describeSchedule } from '../../retention/schedule-text.ts';
import { DetailsFact, DetailsFacts, DetailsPanel } from '../details-panel.tsx';
import settingsStyles from '../settings.module.css';
import styles from './data-page.module.css';
import { PolicyMenu } from './policy-columns.tsx';
import { toPolicyRow } from './policy-rows.ts';
import { usePolicyTools } from './policy-tools.ts';

/** The policy that the address names, with its projects and what it deleted. */
export function PolicyPanel() {
  // The last one stays until the next one is there.
  const policyId = useDeferredValue(useParams({ strict: false }).policyId ?? '');
  if (!isNodeId('ProjectTraceRetentionPolicy', policyId)) return <NoPolicy />;
  return (
    <ErrorBoundary fallbackTitle="The policy could not be loaded" resetKey={policyId} missing={<NoPolicy />}>
      <FoundPolicy policyId={policyId} />
    </ErrorBoundary>
  );
}

function FoundPolicy({ policyId }: { readonly policyId: string }) {
  const { changeCount } = usePolicyTools();
  const { node } = useQuery<policyPanelQuery>(
    graphql`
      query policyPanelQuery($policyId: ID!) {
        node(id: $policyId) {
          ... on ProjectTraceRetentionPolicy @alias(as: "policy") {
            id
            name
            cronExpression
            projectCount
            rule {
              __typename
              ... on TraceRetentionRuleMaxDays {
                maxDays
              }
              ... on TraceRetentionRuleMaxCount {
                maxCount
              }
              ... on TraceRetentionRuleMaxDaysOrCount {
                maxDays
                maxCount
              }
            }
            projects(first: 100) {
              edges {
                node {
                  id
                  name
                }
              }
            }
            deletions(first: 10) {
              projectName
              traceCount
              startedAt
              finishedAt
            }
          }
        }
      }
    `,
    { policyId },
    { version: changeCount, fetchPolicy: 'store-and-network' },
  );
  if (node.policy == null) return <NoPolicy />;
  const { policy } = node;
  const row = toPolicyRow(policy);
  const projects = policy.projects.edges.map((edge) => edge.node);
  return (
    <DetailsPanel
      label={`Policy ${row.name}`}
      table="/settings/data"
      title={<Name>{row.name}</Name>}
      actions={<PolicyMenu policy={row} />}
    >
      <DetailsFacts>
        <DetailsFact label="Keeps">{describeRule(row.rule)}</DetailsFact>
        <DetailsFact label="Schedule">{describeSchedule(row.cron)}</DetailsFact>
        <DetailsFact label="For">
          {row.isDefault ? 'All projects without another policy' : 'The projects below'}
        </DetailsFact>
      </DetailsFacts>
      <section aria-label="Projects">
        <h3 className={styles.heading}>
          {formatExact(row.projectCount)} {nounOf(row.projectCount, 'projects')}
        </h3>
        {projects.length === 0 && <p className={settingsStyles.muted}>No project has this policy.</p>}
        <ul className={styles.projects}>
          {projects.map(({ id, name }) => (
            <li key={id}>
              <Link to="/projects/$projectId/config" params={{ projectId: id }}>
                <Name>{name}</Name>
              </Link>
            </li>
          ))}
          {projects.length < row.projectCount && (
            <li className={settingsStyles.muted}>and {formatExact(row.projectCount - projects.length)} more</li>
          )}
        </ul>
      </section>
      <section aria-label="Latest deletions">
        <h3 className={styles.heading}>Latest deletions</h3>
        {policy.deletions.length === 0 && (
          <p className={settingsStyles.muted}>This policy has not deleted anything yet.</p>
        )}
        <ul className={styles.deletions}>
          {policy.deletions.map(({ projectName, traceCount, startedAt, finishedAt }, index) => (
            <li key={index}>
              <Timestamp value={startedAt} />
              <span className={settingsStyles.strong}>
                <Name>{projectName}</Name>
              </span>
              <span className={settingsStyles.muted}>
                {formatExact(traceCount)} {nounOf(traceCount, 'traces')}
                {finishedAt == null && ', still erasing'}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </DetailsPanel>
  );
}

function NoPolicy() {
  return (
    <DetailsPanel label="Policy" title="Policy" table="/settings/data">
      <EmptyState icon={Hourglass} title="There is no such policy">
        The policy was deleted, or the address is mistyped.
      </EmptyState>
    </DetailsPanel>
  );
}
