import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { annotationCounts_project$key } from '#ui/__generated__/annotationCounts_project.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type CountedName, sortNames, titleOfName } from './counted-names.ts';
import styles from './project-config.module.css';

interface AnnotationCountsProps {
  readonly project: annotationCounts_project$key;
  /** Asks whether all of a name are to go; absent where the user may not delete them. */
  readonly onDelete: ((named: CountedName) => void) | undefined;
}

/** Lines until somebody asks for all. */
const SHOWN_AT_FIRST = 12;

/** How many annotations of which name a project has. */
export function AnnotationCounts({ project: ref, onDelete }: AnnotationCountsProps) {
  const [isWhole, setIsWhole] = useState(false);
  const project = useFragment(
    graphql`
      fragment annotationCounts_project on Project {
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
        documentAnnotationNameCounts {
          name
          count
        }
      }
    `,
    ref,
  );
  const names = sortNames({
    span: project.spanAnnotationNameCounts,
    trace: project.traceAnnotationNameCounts,
    session: project.sessionAnnotationNameCounts,
    document: project.documentAnnotationNameCounts,
  });
  if (names.length === 0) return <p className={styles.none}>Nothing has been annotated yet.</p>;
  const shown = isWhole ? names : names.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <FactList>
        {shown.map((named) => {
          const title = revealHidden(titleOfName(named));
          return (
            <Fact
              key={`${named.target} ${named.name}`}
              label={title}
              note={`on ${named.target}s`}
              action={
                onDelete !== undefined && (
                  <Button size="sm" aria-label={`Delete ${title} on ${named.target}s…`} onPress={() => onDelete(named)}>
                    Delete…
                  </Button>
                )
              }
            >
              <span className={styles.figure}>{formatExact(named.count)}</span>
            </Fact>
          );
        })}
      </FactList>
      {shown.length < names.length && (
        <Button variant="ghost" className={styles.more} onPress={() => setIsWhole(true)}>
          Show all {formatExact(names.length)}
        </Button>
      )}
    </>
  );
}
