import type { ReactNode } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { projectCard_project$key } from '#ui/__generated__/projectCard_project.graphql.ts';
import { Count } from '#ui/components/count.tsx';
import { Duration } from '#ui/components/duration.tsx';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import type { TimeRange } from '#ui/lib/time-range.ts';
import { ProjectMenu } from '../deletion/project-menu.tsx';
import { CostFigure, ErrorFigure } from './figure-cells.tsx';
import type { ProjectFigures } from './project-figures.ts';
import { ProjectLink } from './project-link.tsx';
import styles from './projects-page.module.css';
import { Sparkline } from './sparkline.tsx';

interface ProjectCardProps {
  readonly project: projectCard_project$key;
  /** Undefined while they are not known. */
  readonly figures: ProjectFigures | undefined;
  readonly range: TimeRange;
  readonly onChange: () => void;
}

/** A project as a card, which keeps its size while its figures come. */
export function ProjectCard({ project: ref, figures, range, onChange }: ProjectCardProps) {
  const project = useFragment(
    graphql`
      fragment projectCard_project on Project {
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
  const figure = (value: (known: ProjectFigures) => ReactNode) =>
    figures === undefined ? <Skeleton width={28} height={11} /> : value(figures);
  return (
    <li className={styles.card}>
      <div className={styles.nameCell}>
        <ProjectMark from={project.gradientStartColor} to={project.gradientEndColor} />
        <ProjectLink id={id} name={name} range={range} />
        <span className={styles.activity}>{endTime == null ? 'No traces yet' : <Timestamp value={endTime} />}</span>
        <ProjectMenu project={project} onCleared={onChange} onDeleted={onChange} className={styles.itemMenu} />
      </div>
      {description != null && <p className={styles.description}>{description}</p>}
      <div className={styles.picture}>{figures !== undefined && <Sparkline bars={figures.bars} />}</div>
      <dl className={styles.figures}>
        <Figure label="Traces">
          {figure(({ count }) => (
            <Count value={count} />
          ))}
        </Figure>
        <Figure label="Errors">
          {figure((known) => (
            <ErrorFigure {...known} />
          ))}
        </Figure>
        <Figure label="P50">
          {figure(({ latencyMsP50 }) => (
            <Duration ms={latencyMsP50} />
          ))}
        </Figure>
        <Figure label="P95">
          {figure(({ latencyMsP95 }) => (
            <Duration ms={latencyMsP95} />
          ))}
        </Figure>
        <Figure label="Cost">
          {figure((known) => (
            <CostFigure {...known} />
          ))}
        </Figure>
      </dl>
    </li>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
