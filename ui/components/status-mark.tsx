import { CircleCheck, CircleDashed, CircleX, type LucideIcon, Minus } from 'lucide-react';
import { classNames } from '#ui/lib/class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './status-mark.module.css';

/** `OPEN`: begun, and its end has not come yet. */
export type Status = 'OK' | 'ERROR' | 'UNSET' | 'OPEN';

interface Look {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly style: string | undefined;
}

const LOOKS: Readonly<Record<Status, Look>> = {
  OK: { icon: CircleCheck, label: 'OK', style: styles.ok },
  ERROR: { icon: CircleX, label: 'Error', style: styles.error },
  UNSET: { icon: Minus, label: 'Status not set', style: styles.unset },
  OPEN: { icon: CircleDashed, label: 'Not finished', style: styles.open },
};

/** See {@link StatusMark}. */
export interface StatusMarkProps {
  /** What is not a {@link Status} counts as not set. */
  readonly status: string;
  readonly size?: number;
  /** Writes the status beside the mark. */
  readonly hasText?: boolean;
  /** Shows nothing for success: in a list, what failed must stand out. */
  readonly isQuiet?: boolean;
}

/** How something ended, as a shape in a colour. */
export function StatusMark({ status, size = 15, hasText = false, isQuiet = false }: StatusMarkProps) {
  const { icon: Icon, label, style } = isStatus(status) ? LOOKS[status] : LOOKS.UNSET;
  if (isQuiet && status === 'OK') return <VisuallyHidden>{label}</VisuallyHidden>;
  return (
    <span className={classNames(styles.mark, style)} title={label}>
      <Icon size={size} aria-hidden />
      {hasText ? <span className={styles.text}>{label}</span> : <VisuallyHidden>{label}</VisuallyHidden>}
    </span>
  );
}

function isStatus(status: string): status is Status {
  return Object.hasOwn(LOOKS, status);
}
