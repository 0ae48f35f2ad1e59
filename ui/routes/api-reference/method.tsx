import styles from './method.module.css';

/** The method of an operation; the colour repeats what the word says. */
export function Method({ method }: { readonly method: string }) {
  return (
    <span className={styles.method} data-method={method}>
      {method === 'DELETE' ? 'DEL' : method}
    </span>
  );
}
