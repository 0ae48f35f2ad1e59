import styles from './fact-places.module.css';
import { Skeleton } from './skeleton.tsx';

/** See {@link FactPlaces}. */
export interface FactPlacesProps {
  /** Pixels that the facts usually take, so that they break into as many lines. */
  readonly widths: readonly number[];
  /** Lays them out as it does the facts. */
  readonly className: string | undefined;
}

/** Keeps the place of short facts that are being read, so that what is below them stays where it is. */
export function FactPlaces({ widths, className }: FactPlacesProps) {
  return (
    <div className={className} aria-hidden>
      {widths.map((width, index) => (
        <span key={index} className={styles.place}>
          <Skeleton width={`${width}px`} height="12px" />
        </span>
      ))}
    </div>
  );
}
