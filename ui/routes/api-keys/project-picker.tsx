import { X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { graphql } from 'react-relay';
import type { projectPickerQuery } from '#ui/__generated__/projectPickerQuery.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { Name } from '#ui/components/name.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import styles from './project-picker.module.css';

const QUERY = graphql`
  query projectPickerQuery($filter: ProjectFilter) {
    projects(first: 30, filter: $filter, sort: { col: endTime, dir: desc }) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`;

/** A project that was chosen. */
export interface ChosenProject {
  readonly id: string;
  readonly name: string;
}

interface ProjectPickerProps {
  readonly chosen: readonly ChosenProject[];
  readonly onChange: (chosen: readonly ChosenProject[]) => void;
}

/** Chooses some of any number of projects. */
export function ProjectPicker({ chosen, onChange }: ProjectPickerProps) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { data, error } = useAnswer<projectPickerQuery>(
    QUERY,
    { filter: search === '' ? null : { col: 'name', value: search } },
    0,
  );
  const found = data?.projects.edges.map(({ node }) => node);
  const without = (id: string) => chosen.filter((project) => project.id !== id);
  return (
    <div className={styles.picker}>
      {chosen.length > 0 && (
        <ul className={styles.chosen} aria-label="Chosen projects">
          {chosen.map(({ id, name }) => (
            <li key={id} className={styles.chip}>
              <span className={styles.name} title={revealHidden(name)}>
                <Name>{name}</Name>
              </span>
              <button
                type="button"
                className={styles.remove}
                aria-label={`Leave out ${revealHidden(name)}`}
                onClick={() => onChange(without(id))}
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.box}>
        <SearchField
          label="Search projects by name"
          placeholder="Search projects"
          value={text}
          onChange={setText}
          className={styles.search}
        />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset cannot scroll in every browser. */}
        <div className={styles.list} role="group" aria-label="Projects">
          {found === undefined && error === undefined && <Skeleton lines={3} height={14} />}
          {error !== undefined && <p className={styles.note}>{describeError(error)}</p>}
          {found?.length === 0 && <p className={styles.note}>No project name contains this.</p>}
          {found?.map(({ id, name }) => (
            <Checkbox
              key={id}
              className={styles.project}
              isSelected={chosen.some((project) => project.id === id)}
              onChange={(isChosen) => onChange(isChosen ? [...without(id), { id, name }] : without(id))}
            >
              <span className={styles.name} title={revealHidden(name)}>
                <Name>{name}</Name>
              </span>
            </Checkbox>
          ))}
          {data?.projects.pageInfo.hasNextPage === true && (
            <p className={styles.note}>There are more. Search for them by name.</p>
          )}
        </div>
      </div>
    </div>
  );
}
