import { Link } from '@tanstack/react-router';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { graphql } from 'react-relay';
import type { configChoiceQuery } from '#ui/__generated__/configChoiceQuery.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { kindName } from '../annotation-configs/shown-config.ts';
import styles from './queue-dialog.module.css';

const QUERY = graphql`
  query configChoiceQuery {
    annotationConfigs(first: 1000) {
      edges {
        node {
          ... on Node {
            id
          }
          ... on AnnotationConfigBase {
            name
            annotationType
          }
        }
      }
    }
  }
`;

interface ConfigChoiceProps {
  readonly selected: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** What a queue asks; the first that was chosen is asked first. */
export function ConfigChoice({ selected, onChange }: ConfigChoiceProps) {
  const { data, error } = useAnswer<configChoiceQuery>(QUERY, {}, 0);
  const all = data?.annotationConfigs.edges.map(({ node }) => node) ?? [];
  return (
    <div className={styles.questions}>
      <span className={styles.label}>Questions</span>
      {data === undefined && error === undefined && <Skeleton lines={3} />}
      {error !== undefined && <p className={styles.hint}>{error.message}</p>}
      {all.length > 0 && (
        <CheckboxGroup
          aria-label="Questions"
          className={styles.choices ?? ''}
          value={[...selected]}
          onChange={onChange}
        >
          {all.map(({ id = '', name = '', annotationType }) => (
            <Checkbox key={id} value={id}>
              {revealHidden(name)} <span className={styles.hint}>{place(selected, id, annotationType)}</span>
            </Checkbox>
          ))}
        </CheckboxGroup>
      )}
      <p className={styles.hint}>
        The annotation configs that reviewers answer. Configs are made in the{' '}
        <Link to="/settings/annotations">settings</Link>.
      </p>
    </div>
  );
}

/** The kind of a config, and as which it is asked. */
function place(selected: readonly string[], id: string, annotationType: string | undefined): string {
  const at = selected.indexOf(id);
  const kind = kindName(annotationType ?? '');
  return at === -1 || selected.length < 2 ? kind : `${kind}, question ${at + 1}`;
}
