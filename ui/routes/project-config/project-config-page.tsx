import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { graphql } from 'react-relay';
import type { projectConfigPageQuery } from '#ui/__generated__/projectConfigPageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Eventually } from '#ui/components/eventually.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { Name } from '#ui/components/name.tsx';
import { PageSection } from '#ui/components/page-section.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { ClearProject } from '../deletion/clear-project.tsx';
import { DeleteProject, whyKept } from '../deletion/delete-project.tsx';
import { MissingProject } from '../project/missing-project.tsx';
import { useProjectView } from '../project/project-view.ts';
import { readDefaultTab } from '../project/tab-to-open.ts';
import { describeRule, toRule } from '../retention/retention-rule.ts';
import { describeSchedule } from '../retention/schedule-text.ts';
import { AnnotationCounts } from './annotation-counts.tsx';
import type { CountedName } from './counted-names.ts';
import { OfferedConfigs } from './offered-configs.tsx';
import styles from './project-config.module.css';
import { TAB_CHOICES } from './tab-choices.ts';

const EditProjectDialog = lazy(async () => ({
  default: (await import('./edit-project-dialog.tsx')).EditProjectDialog,
}));
const ChooseConfigsDialog = lazy(async () => ({
  default: (await import('./choose-configs-dialog.tsx')).ChooseConfigsDialog,
}));
const DeleteNamedDialog = lazy(async () => ({
  default: (await import('./delete-named-dialog.tsx')).DeleteNamedDialog,
}));
const RetentionDialog = lazy(async () => ({
  default: (await import('../retention/retention-dialog.tsx')).RetentionDialog,
}));

/** What a project is called and looks like, what people are offered who annotate, how long its traces are kept, and the ways to delete them. */
export function ProjectConfigPage() {
  const { projectId } = useProjectView();
  return (
    <div className={styles.page}>
      <ErrorBoundary
        fallbackTitle="The configuration could not be loaded"
        resetKey={projectId}
        missing={<MissingProject />}
      >
        <Suspense fallback={LOADING}>
          <Eventually placeholder={LOADING}>
            <Config projectId={projectId} />
          </Eventually>
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

const LOADING = <ProgressLine isActive label="Loading the configuration" />;

type OpenWindow = 'edit' | 'configs' | 'retention' | 'clear' | 'delete' | CountedName;

function Config({ projectId }: { readonly projectId: string }) {
  const { refresh, refreshCount } = useProjectView();
  const [open, setOpen] = useState<OpenWindow>();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const mayChange = useMay('administer');
  const { node } = useQuery<projectConfigPageQuery>(
    graphql`
      query projectConfigPageQuery($projectId: ID!) {
        node(id: $projectId) {
          ... on Project @alias(as: "project") {
            id
            name
            description
            gradientStartColor
            gradientEndColor
            defaultTab
            createdAt
            startTime
            endTime
            ...offeredConfigs_project
            ...annotationCounts_project
            traceRetentionPolicy {
              name
              cronExpression
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
            }
          }
        }
      }
    `,
    { projectId },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  const { project } = node;
  if (project == null) return <MissingProject />;
  const { name, description, traceRetentionPolicy: policy } = project;
  const look = { startColor: project.gradientStartColor, endColor: project.gradientEndColor };
  const defaultTab = readDefaultTab(project.defaultTab);
  const kept = whyKept(name);
  const close = () => setOpen(undefined);
  return (
    <>
      <PageSection title="Project" actions={mayChange && <Button onPress={() => setOpen('edit')}>Edit…</Button>}>
        <FactList>
          <Fact label="Name" note="Name used when sending traces. It cannot change.">
            <Name>{name}</Name> <CopyButton text={name} label="Copy name" />
          </Fact>
          <Fact label="Description">
            {description == null ? (
              <span className={styles.none}>None</span>
            ) : (
              <span className={styles.description}>{description}</span>
            )}
          </Fact>
          <Fact label="Colours">
            <span className={styles.colours}>
              <ProjectMark from={look.startColor} to={look.endColor} size="lg" />
              <code>{look.startColor}</code> to <code>{look.endColor}</code>
            </span>
          </Fact>
          <Fact label="Opens with">{TAB_CHOICES.find(({ id }) => id === (defaultTab ?? 'last'))?.label}</Fact>
          <Fact label="Id" note="For the API">
            <code>{project.id}</code> <CopyButton text={project.id} label="Copy id" />
          </Fact>
          <Fact label="Created">
            <Timestamp value={project.createdAt} style="full" />
          </Fact>
          <Fact label="Data">
            {project.startTime == null ? (
              <span className={styles.none}>No traces yet</span>
            ) : (
              <>
                <Timestamp value={project.startTime} style="full" /> to{' '}
                <Timestamp value={project.endTime ?? null} style="full" />
              </>
            )}
          </Fact>
        </FactList>
      </PageSection>
      <PageSection
        title="Annotation configs"
        lead="What people are offered when they annotate in this project."
        actions={mayWrite && <Button onPress={() => setOpen('configs')}>Choose…</Button>}
      >
        <OfferedConfigs project={project} />
      </PageSection>
      <PageSection title="Annotations" lead="How many there are of each name.">
        <AnnotationCounts project={project} onDelete={mayChange ? setOpen : undefined} />
      </PageSection>
      <PageSection
        title="Retention"
        lead="Which traces stay. All others are deleted when the policy runs."
        actions={mayChange && <Button onPress={() => setOpen('retention')}>Change…</Button>}
      >
        <FactList>
          <Fact label="Policy">
            <Name>{policy.name}</Name>
          </Fact>
          <Fact label="Keeps" note={`${describeSchedule(String(policy.cronExpression))}.`}>
            {describeRule(toRule(policy.rule))}
          </Fact>
        </FactList>
      </PageSection>
      {mayWrite && (
        <PageSection title="Delete" lead="None of this can be undone.">
          <FactList>
            <Fact
              label="Traces"
              action={
                <Button variant="danger" onPress={() => setOpen('clear')}>
                  Delete traces…
                </Button>
              }
            >
              All of them, or those older than a time. The project stays.
            </Fact>
            {mayChange && (
              <Fact
                label="Project"
                action={
                  kept === undefined && (
                    <Button variant="danger" onPress={() => setOpen('delete')}>
                      Delete project…
                    </Button>
                  )
                }
              >
                {kept === undefined ? 'With its traces and sessions.' : `${kept}.`}
              </Fact>
            )}
          </FactList>
        </PageSection>
      )}
      <Suspense fallback={<ProgressLine isActive label="Loading the window" />}>
        {open === 'edit' && (
          <EditProjectDialog
            project={{ id: project.id, name, description: description ?? null, defaultTab, ...look }}
            onClose={close}
          />
        )}
        {open === 'configs' && <ChooseConfigsDialog project={project} onClose={close} onSaved={refresh} />}
        {open === 'retention' && <RetentionDialog project={project} onClose={close} onSaved={refresh} />}
        {open === 'clear' && <ClearProject project={project} onClose={close} onDone={refresh} />}
        {typeof open === 'object' && (
          <DeleteNamedDialog project={project} named={open} onClose={close} onDone={refresh} />
        )}
        {open === 'delete' && (
          <DeleteProject
            project={project}
            onClose={close}
            onDone={() => void navigate({ to: '/projects', replace: true })}
          />
        )}
      </Suspense>
    </>
  );
}
