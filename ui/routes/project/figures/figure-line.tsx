import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { keepTime } from '../project-pages.ts';
import { useProjectView } from '../project-view.ts';
import { describeShare, describeTarget, type Figure, type FigureTarget, type Totals } from './figures.ts';
import styles from './figure-line.module.css';

interface FigureLineProps {
  readonly label: string;
  readonly noun: string;
  /** How many rows there are, as far as that is known. */
  readonly count: ReactNode;
  /** Undefined while nothing is known. */
  readonly figures: readonly Figure[] | undefined;
  readonly totals: Pick<Totals, 'count' | 'share'> | undefined;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly onRetry: () => void;
}

/** Figures in a line, or in two where there is little room, of the same height while they load; only its place if there are no rows. */
export function FigureLine(props: FigureLineProps) {
  const { label, noun, count, figures, totals, isLoading, error, onRetry } = props;
  if (error !== undefined) {
    return (
      <div className={styles.line}>
        <p role="alert" className={styles.failure}>
          The figures could not be computed. {describeError(error)}
        </p>
        {objectionOf(error) !== 'refused' && (
          <Button size="sm" onPress={onRetry}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  const isEmpty = totals?.count === 0;
  const share = totals && describeShare(totals.share);
  return (
    <section className={styles.line} data-empty={isEmpty || undefined} aria-label={isEmpty ? undefined : label}>
      {count !== false && <span className={styles.count}>{count}</span>}
      {isEmpty ? null : figures === undefined ? (
        <span className={styles.place}>
          <Skeleton width={320} height={10} />
        </span>
      ) : (
        <ul className={styles.figures} data-waiting={isLoading || undefined}>
          {figures.map((figure) => (
            <li key={figure.id}>
              <FigureLink {...figure} action={figure.target && describeTarget(figure, figure.target, noun)} />
            </li>
          ))}
        </ul>
      )}
      {share !== undefined && (
        <span className={styles.share} title="The time does not suffice for all. Narrow the time range or the filter.">
          {share}
        </span>
      )}
    </section>
  );
}

interface FigureLinkProps extends Omit<Figure, 'id' | 'target'> {
  /** What pressing it does. */
  readonly action: string | undefined;
  readonly target?: FigureTarget | undefined;
}

/** A figure, which leads to what explains it. */
export function FigureLink({ value, before, after, title, action, target }: FigureLinkProps) {
  const { projectId } = useProjectView();
  const text = (
    <>
      {before !== undefined && `${before} `}
      <strong>{value}</strong>
      {after !== undefined && ` ${after}`}
    </>
  );
  if (target === undefined || action === undefined) {
    return (
      <span className={styles.figure} title={title}>
        {text}
      </span>
    );
  }
  const shared = { className: styles.figure, title: `${title}. ${action}` };
  if (target.kind === 'rows' && target.table !== undefined) {
    return (
      <Link
        {...shared}
        to={`/projects/$projectId/${target.table}`}
        params={{ projectId }}
        search={(search) => ({
          ...keepTime(search),
          filter: target.filter ?? undefined,
          ...(target.sort !== undefined && { sort: target.sort }),
        })}
      >
        {text}
      </Link>
    );
  }
  if (target.kind === 'rows') {
    return (
      <Link
        {...shared}
        to="."
        search={(search) => ({
          ...search,
          filter: target.filter ?? undefined,
          sort: target.sort ?? search.sort,
        })}
      >
        {text}
      </Link>
    );
  }
  return (
    <Link
      {...shared}
      to="/projects/$projectId/metrics"
      params={{ projectId }}
      search={({ range, start, end }) => ({ range, start, end, filter: target.filter ?? undefined })}
      {...(target.anchor !== undefined && { hash: target.anchor })}
    >
      {text}
    </Link>
  );
}
