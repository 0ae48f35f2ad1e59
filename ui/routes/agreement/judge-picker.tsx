import { graphql } from 'react-relay';
import type { AnnotationTarget, judgePickerQuery } from '#ui/__generated__/judgePickerQuery.graphql.ts';
import { Select } from '#ui/components/select.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import styles from './agreement-page.module.css';
import { annotatorKey, type Judge, type JudgedKind } from './model/judge.ts';

const QUERY = graphql`
  query judgePickerQuery($projectId: ID!, $target: AnnotationTarget!, $name: String!) {
    project: node(id: $projectId) {
      ... on Project {
        annotatorAgreement(target: $target, name: $name) {
          annotators {
            annotatorKind
            identifier
            count
            username
          }
        }
      }
    }
  }
`;

/** What judges judge, as the schema says it. */
export const TARGETS: Readonly<Record<JudgedKind, AnnotationTarget>> = {
  span: 'SPAN',
  trace: 'TRACE',
  session: 'SESSION',
};

const KIND_NAMES = { HUMAN: 'People', LLM: 'Models', CODE: 'Programs' } as const;

interface JudgePickerProps {
  readonly label: string;
  readonly projectId: string;
  readonly kind: JudgedKind;
  readonly names: readonly string[];
  readonly judge: Judge;
  readonly onChange: (judge: { readonly name: string; readonly by: string | undefined }) => void;
}

const EVERYBODY = '';

/** Chooses a name, and whose annotations of it. */
export function JudgePicker({ label, projectId, kind, names, judge, onChange }: JudgePickerProps) {
  const { project } = useQuery<judgePickerQuery>(
    QUERY,
    { projectId, target: TARGETS[kind], name: judge.name },
    { fetchPolicy: 'store-and-network' },
  );
  const annotators = (project.annotatorAgreement?.annotators ?? []).map((annotator) => ({
    id: annotatorKey({ kind: annotator.annotatorKind, identifier: annotator.identifier }),
    label: `${annotator.username ?? (annotator.identifier || KIND_NAMES[annotator.annotatorKind])} (${formatExact(annotator.count)})`,
  }));
  const known = names.includes(judge.name) ? names : [judge.name, ...names];
  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>{label}</legend>
      <Select
        label={`${label}: name`}
        isLabelHidden
        items={known.map((name) => ({ id: name, label: name }))}
        selectedKey={judge.name}
        onSelectionChange={(name) => onChange({ name, by: undefined })}
      />
      {annotators.length > 1 && (
        <Select
          label={`${label}: annotator`}
          isLabelHidden
          items={[{ id: EVERYBODY, label: 'Everybody, the latest counts' }, ...annotators]}
          selectedKey={judge.by === null ? EVERYBODY : annotatorKey(judge.by)}
          onSelectionChange={(key) => onChange({ name: judge.name, by: key === EVERYBODY ? undefined : key })}
        />
      )}
    </fieldset>
  );
}
