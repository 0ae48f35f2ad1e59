import { Button } from '#ui/components/button.tsx';
import { formatTimestamp } from '#ui/lib/format.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import styles from './project.module.css';

/** How far a page was looked for that is not full. */
export interface Look {
  /** Of what was left when the page began. */
  readonly share: number;
  /** Up to where, in ISO 8601, where the order is by time. */
  readonly untilTime?: string | null | undefined;
}

/** Says how far a table has looked, with a way to go on. */
export function LookFurther(props: { readonly look: Look; readonly isLooking: boolean; readonly onLook: () => void }) {
  const { look, isLooking, onLook } = props;
  const zone = useTimeZone();
  const percent = Math.min(99, Math.floor(look.share * 100));
  return (
    <output className={styles.look}>
      {look.untilTime == null
        ? `Searched ${percent} % of the remaining data.`
        : `Searched back to ${formatTimestamp(look.untilTime, zone, 'time')}: ${percent} % of the remaining data.`}
      <Button size="sm" isPending={isLooking} onPress={onLook}>
        Keep searching
      </Button>
    </output>
  );
}
