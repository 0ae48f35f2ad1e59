import styles from './project-mark.module.css';

/** See {@link ProjectMark}. */
export interface ProjectMarkProps {
  /** Colours of the project, as CSS writes them; grey where they are not known. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly size?: 'sm' | 'lg';
}

/** The sign of a project, wherever it is named: a small field in its colours. */
export function ProjectMark({ from, to, size = 'sm' }: ProjectMarkProps) {
  const background = from === undefined || to === undefined ? undefined : `linear-gradient(135deg, ${from}, ${to})`;
  return <span aria-hidden className={styles.mark} data-size={size} style={{ background }} />;
}
