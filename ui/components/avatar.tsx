import { useState } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { initialsOf } from '#ui/lib/initials.ts';
import styles from './avatar.module.css';

/** See {@link Avatar}. */
export interface AvatarProps {
  readonly name: string;
  readonly pictureUrl?: string | null;
  readonly size?: 'md' | 'lg';
  readonly className?: string | undefined;
}

/** A person's picture, or the initials where there is none. Their name stands beside it. */
export function Avatar({ name, pictureUrl = null, size = 'md', className }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const isPicture = pictureUrl !== null && pictureUrl !== failedUrl;
  return (
    <span className={classNames(styles.avatar, size === 'lg' && styles.large, className)} aria-hidden>
      {isPicture ? (
        <img src={pictureUrl} alt="" referrerPolicy="no-referrer" onError={() => setFailedUrl(pictureUrl)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}
