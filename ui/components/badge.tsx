import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './badge.module.css';

/** What a colour means, always beside a text or a shape that says the same. */
export type Tone = 'neutral' | 'accent' | 'danger' | 'warning' | 'success' | 'info';

/** See {@link Badge}. */
export interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: LucideIcon | undefined;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A short fact about what it stands beside. */
export function Badge({ tone = 'neutral', icon: Icon, children, className }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], className)}>
      {Icon !== undefined && <Icon size={12} aria-hidden />}
      {children}
    </span>
  );
}
