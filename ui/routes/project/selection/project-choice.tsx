import { useDeferredValue, useId, useState } from 'react';
import { graphql } from 'react-relay';
import type { projectChoiceQuery } from '#ui/__generated__/projectChoiceQuery.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import styles from './project-choice.module.css';

const QUERY = graphql`
  query projectChoiceQuery($filter: ProjectFilter) {
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

interface ProjectChoiceProps {
  /** What the project is chosen for. */
  readonly label: string;
  /** The project that is not offered. */
  readonly without?: string | undefined;
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** Chooses one of any number of projects. */
export function ProjectChoice({ label, without, chosenId, onChoose }: ProjectChoiceProps) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { data, error } = useAnswer<projectChoiceQuery>(
    QUERY,
    { filter: search === '' ? null : { col: 'name', value: search } },
    0,
  );
  const group = useId();
  const found = data?.projects.edges.map(({ node }) => node).filter(({ id }) => id !== without);
  return (
    <div className={styles.box}>
      <SearchField
        label="Search projects by name"
        placeholder="Search projects"
        value={text}
        onChange={setText}
        className={styles.search}
      />
      <div className={styles.list} role="radiogroup" aria-label={label}>
        {found === undefined && error === undefined && <Skeleton lines={3} height={14} />}
        {error !== undefined && <p className={styles.note}>{describeError(error)}</p>}
        {found?.length === 0 && (
          <p className={styles.note}>
            {search === '' ? 'There is no project to choose.' : 'No project name contains this.'}
          </p>
        )}
        {found?.map(({ id, name }) => (
          <label key={id} className={styles.project}>
            <input
              type="radio"
              aria-label={revealHidden(name)}
              name={group}
              className={styles.radio}
              checked={id === chosenId}
              onChange={() => onChoose(id)}
            />
            <span className={styles.name} title={revealHidden(name)}>
              <Name>{name}</Name>
            </span>
          </label>
        ))}
        {data?.projects.pageInfo.hasNextPage === true && (
          <p className={styles.note}>There are more. Search for them by name.</p>
        )}
      </div>
    </div>
  );
}
