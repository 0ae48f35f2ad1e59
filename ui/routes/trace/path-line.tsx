import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatDuration } from '#ui/lib/format.ts';
import { drawMark, type PathMark } from './model/path-marks.ts';
import type { TimeWindow } from './model/time-window.ts';
import styles from './path-line.module.css';

/** A line below a bar, where its span is on the critical path. */
export function PathLine({ mark, window }: { readonly mark: PathMark; readonly window: TimeWindow }) {
  return (
    <>
      <svg className={styles.line} viewBox="0 0 1000 1" preserveAspectRatio="none" data-path aria-hidden>
        <path d={drawMark(mark, window)} />
      </svg>
      <VisuallyHidden>, {formatDuration(mark.lengthMs)} of it on the critical path</VisuallyHidden>
    </>
  );
}
