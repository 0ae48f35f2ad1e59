import type { ReactNode } from 'react';
import buttonStyles from '#ui/components/button.module.css';
import { Spinner } from '#ui/components/spinner.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './sign-in.module.css';

/** The one button of a form on a sign-in page; a plain element. */
export function SubmitButton({ isPending, children }: { readonly isPending: boolean; readonly children: ReactNode }) {
  return (
    <button
      type="submit"
      className={classNames(buttonStyles.button, buttonStyles.md, buttonStyles.primary, styles.submit)}
      aria-disabled={isPending}
      data-disabled={isPending || undefined}
    >
      {isPending && <Spinner label="Working" />}
      {children}
    </button>
  );
}
