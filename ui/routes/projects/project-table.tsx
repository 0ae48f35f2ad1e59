import { ArrowDown, ArrowUp } from 'lucide-react';
import { graphql, useFragment } from 'react-relay';
import type { projectTable_project$key } from '#ui/__generated__/projectTable_project.graphql.ts';
import { Count } from '#ui/components/count.tsx';
import { Duration } from '#ui/components/duration.tsx';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import type { TimeRange } from '#ui/lib/time-range.ts';
import { ProjectMenu } from '../deletion/project-menu.tsx';
import { CostFigure, ErrorFigure } from './figure-cells.tsx';
import type { ProjectFigures } from './project-figures.ts';
import { ProjectLink } from './project-link.tsx';
import { nextProjectsSort, PROJECT_HEADERS, type ProjectColumn, type ProjectsSort } from './projects-view.ts';
import styles from './projects-page.module.css';
import { Sparkline } from './sparkline.tsx';

interface ProjectTableProps {
  readonly projects: readonly ({ readonly id: string } & projectTable_project$key)[];
  /** By the id of their project, as far as they are known. */
  readonly figures: ReadonlyMap<string, ProjectFigures>;
  readonly sort: ProjectsSort;
  readonly onSort: (sort: ProjectsSort) => void;
  readonly range: TimeRange;
  readonly onChange: () => void;
}

/** In the order in which they stand. */
const COLUMNS: readonly ProjectColumn[] = ['name', 'traces', 'errors', 'p50', 'p95', 'tokens', 'cost', 'activity'];

/** Projects in rows; a press on a header orders them by it. */
export function ProjectTable({ projects, figures, sort, onSort, range, onChange }: ProjectTableProps) {
  return (
    <div className={styles.tablePlace}>
      <table className={styles.table} aria-label="Projects">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <Header key={column} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <Row
              key={project.id}
              project={project}
              figures={figures.get(project.id)}
              range={range}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Header(props: {
  readonly column: ProjectColumn;
  readonly sort: ProjectsSort;
  readonly onSort: (sort: ProjectsSort) => void;
}) {
  const { column, sort, onSort } = props;
  const direction = sort.column === column ? sort.direction : undefined;
  const Mark = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
      colSpan={column === 'traces' ? 2 : undefined}
    >
      <button type="button" className={styles.header} onClick={() => onSort(nextProjectsSort(sort, column))}>
        {PROJECT_HEADERS[column]}
        {direction !== undefined && <Mark size={12} aria-hidden />}
      </button>
    </th>
  );
}

interface RowProps extends Pick<ProjectTableProps, 'range' | 'onChange'> {
  readonly project: projectTable_project$key;
  readonly figures: ProjectFigures | undefined;
}

function Row({ project: ref, figures, range, onChange }: RowProps) {
  const project = useFragment(
    graphql`
      fragment projectTable_project on Project {
        id
        name
        description
        endTime
        gradientStartColor
        gradientEndColor
      }
    `,
    ref,
  );
  const { id, name, description, endTime } = project;
  return (
    <tr>
      <th scope="row">
        <span className={styles.nameCell}>
          <ProjectMark from={project.gradientStartColor} to={project.gradientEndColor} />
          <span className={styles.nameLines}>
            <ProjectLink id={id} name={name} range={range} />
            {description != null && (
              <span className={styles.described} title={description}>
                {description}
              </span>
            )}
          </span>
        </span>
      </th>
      <td className={styles.pictureCell}>
        <div className={styles.picture}>{figures !== undefined && <Sparkline bars={figures.bars} />}</div>
      </td>
      <td>{figures && <Count value={figures.count} />}</td>
      <td>{figures && <ErrorFigure {...figures} />}</td>
      <td>{figures && <Duration ms={figures.latencyMsP50} />}</td>
      <td>{figures && <Duration ms={figures.latencyMsP95} />}</td>
      <td>{figures && <Count value={figures.count === 0 ? null : figures.tokens} />}</td>
      <td>{figures && <CostFigure {...figures} />}</td>
      <td>
        <Timestamp value={endTime} />
      </td>
      <td className={styles.menuCell}>
        <ProjectMenu project={project} onCleared={onChange} onDeleted={onChange} className={styles.itemMenu} />
      </td>
    </tr>
  );
}
