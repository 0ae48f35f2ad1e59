import { describeError } from '#ui/lib/describe-error.ts';
import styles from './fault-list.module.css';
import { WaysOn } from './ways-on.tsx';

/** Why the server has no answer to a filter, and what would give one. */
export function FilterRefusal({ id, refusal }: { readonly id: string; readonly refusal: Error }) {
  return (
    <div id={id} className={styles.refusal} role="alert">
      <span>{describeError(refusal)}</span>
      <WaysOn refusal={refusal} size="sm" />
    </div>
  );
}
