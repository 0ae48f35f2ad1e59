import type { ReactNode } from 'react';
import { Logo } from '#ui/components/logo.tsx';
import { usePageTitle } from '#ui/lib/page-title.ts';
import styles from './sign-in.module.css';

/** What stands around each page before signing in. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  usePageTitle([title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Logo size={24} />
          Cairn
        </p>
        <div className={styles.sheet}>
          <h1 className={styles.title}>{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
