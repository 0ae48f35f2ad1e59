import { Scale } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { graphql } from 'react-relay';
import type { agreementPageQuery } from '#ui/__generated__/agreementPageQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { useProjectView } from '../project/project-view.ts';
import styles from './agreement-page.module.css';
import type { AgreementSearch } from './agreement-search.ts';
import { Comparison } from './comparison.tsx';
import { JudgePicker } from './judge-picker.tsx';
import { type Annotator, type Judge, type JudgedKind, judgesToBeginWith, readAnnotator } from './model/judge.ts';

const QUERY = graphql`
  query agreementPageQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        spanAnnotationNameCounts {
          name
          count
        }
        traceAnnotationNameCounts {
          name
          count
        }
        sessionAnnotationNameCounts {
          name
          count
        }
        spanPair: annotatorPair(target: SPAN) {
          name
          annotatorKind
          identifier
        }
        tracePair: annotatorPair(target: TRACE) {
          name
          annotatorKind
          identifier
        }
        sessionPair: annotatorPair(target: SESSION) {
          name
          annotatorKind
          identifier
        }
      }
    }
  }
`;

const KINDS = [
  { id: 'span', label: 'Spans' },
  { id: 'trace', label: 'Traces' },
  { id: 'session', label: 'Sessions' },
] as const;

/** How far two judges agree: of two names, or two annotators of one. */
export function AgreementPage() {
  const { projectId } = useProjectView();
  return (
    <section className={styles.page} aria-label="Agreement">
      <ErrorBoundary fallbackTitle="The annotations could not be shown" resetKey={projectId}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Loaded projectId={projectId} />
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}

function Loaded({ projectId }: { readonly projectId: string }) {
  const { timeRange, refreshCount } = useProjectView();
  const search = useSearch({ from: '/projects/$projectId/agreement' });
  const navigate = useNavigate();
  const { project } = useQuery<agreementPageQuery>(
    QUERY,
    { projectId },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  const names: Readonly<Record<JudgedKind, readonly string[]>> = {
    span: namesOf(project.spanAnnotationNameCounts),
    trace: namesOf(project.traceAnnotationNameCounts),
    session: namesOf(project.sessionAnnotationNameCounts),
  };
  const kind = search.judged ?? KINDS.find(({ id }) => names[id].length > 0)?.id ?? 'span';
  const pairs = { span: project.spanPair, trace: project.tracePair, session: project.sessionPair };
  const judges = judgesToBeginWith(names[kind], (pairs[kind] ?? []).map(toJudge));
  const first = judgeOf(search.first, search.firstBy) ?? judges?.first;
  const second = judgeOf(search.second, search.secondBy) ?? judges?.second;
  const isChosen = search.first !== undefined || search.second !== undefined;
  const change = (next: AgreementSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <>
      <div className={styles.bar}>
        <SegmentedControl
          label="What was judged"
          items={KINDS}
          selectedKey={kind}
          onSelectionChange={(judged) =>
            change({ judged, first: undefined, second: undefined, firstBy: undefined, secondBy: undefined })
          }
        />
        {first !== undefined && second !== undefined && (
          <>
            <JudgePicker
              label="First judge"
              projectId={projectId}
              kind={kind}
              names={names[kind]}
              judge={first}
              onChange={({ name, by }) => change({ first: name, firstBy: by })}
            />
            <JudgePicker
              label="Second judge"
              projectId={projectId}
              kind={kind}
              names={names[kind]}
              judge={second}
              onChange={({ name, by }) => change({ second: name, secondBy: by })}
            />
          </>
        )}
      </div>
      {!isChosen && judges !== undefined && <p className={styles.note}>{judges.why}</p>}
      {first === undefined || second === undefined ? (
        <EmptyState icon={Scale} title="Nothing has been judged here yet">
          Annotate spans, traces or sessions with <kbd>e</kbd>, or send annotations from a program. Then this page
          compares two names, or two people under one name.
        </EmptyState>
      ) : (
        <ErrorBoundary
          fallbackTitle="The judges could not be compared"
          resetKey={JSON.stringify([kind, first, second, timeRange, refreshCount])}
        >
          <Suspense fallback={<Skeleton lines={8} />}>
            <Comparison projectId={projectId} kind={kind} first={first} second={second} timeRange={timeRange} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

/** Notes are no judgements. */
function namesOf(counts: readonly { readonly name: string }[] | null | undefined): readonly string[] {
  return (counts ?? []).map(({ name }) => name).filter((name) => name !== 'note');
}

function judgeOf(name: string | undefined, by: string | undefined): Judge | undefined {
  return name === undefined ? undefined : { name, by: readAnnotator(by) };
}

interface AnsweredJudge extends Pick<Annotator, 'identifier'> {
  readonly name: string;
  readonly annotatorKind: Annotator['kind'];
}

function toJudge({ name, annotatorKind, identifier }: AnsweredJudge): Judge {
  return { name, by: { kind: annotatorKind, identifier } };
}
