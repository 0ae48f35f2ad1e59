import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact } from '#ui/lib/format.ts';
import styles from './agreement-page.module.css';
import { type Judge, type JudgedKind, pairFilter, titleOf } from './model/judge.ts';

interface ConfusionTableProps {
  readonly projectId: string;
  readonly kind: JudgedKind;
  readonly first: Judge;
  readonly second: Judge;
  readonly labels: readonly string[];
  /** Of both judges, listed or not. */
  readonly labelCount: number;
  readonly counts: readonly (readonly number[])[];
}

const TABLES = { span: 'spans', trace: 'traces', session: 'sessions' } as const;

/** More labels are no table that anybody reads. */
const MAX_LABELS = 30;

/** How often each label of the one met each of the other. A cell leads to the rows behind it. */
export function ConfusionTable({ projectId, kind, first, second, labels, labelCount, counts }: ConfusionTableProps) {
  const shown = labels.slice(0, MAX_LABELS);
  const most = Math.max(1, ...counts.flat());
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be within reach of the keyboard.
    <section className={styles.confusion} aria-label="Labels of both" tabIndex={0}>
      <table>
        <caption>
          Rows: {titleOf(first)}. Columns: {titleOf(second)}.
          {labelCount > shown.length && ` ${shown.length} of ${formatExact(labelCount)} labels.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Label</VisuallyHidden>
            </th>
            {shown.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, rowPlace) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {shown.map((column, columnPlace) => {
                const count = counts[rowPlace]?.[columnPlace] ?? 0;
                return (
                  <td
                    key={column}
                    data-equal={rowPlace === columnPlace || undefined}
                    style={{ '--share': `${(count / most) * 22}%` } as CSSProperties}
                  >
                    {count === 0 ? (
                      <span className={styles.none}>0</span>
                    ) : (
                      <Link
                        to={`/projects/$projectId/${TABLES[kind]}`}
                        params={{ projectId }}
                        search={({ range, start, end }) => ({
                          range,
                          start,
                          end,
                          filter: pairFilter(kind, first, second, [row, column]),
                        })}
                        aria-label={`${formatExact(count)}: ${row} and ${column}`}
                      >
                        {formatExact(count)}
                      </Link>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
