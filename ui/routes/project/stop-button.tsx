import { Button } from '#ui/components/button.tsx';
import styles from './project.module.css';

/** Stops what takes long; comes only then, so that nothing flickers. */
export function StopButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <div className={styles.stop}>
      Loading rows
      <Button size="sm" onPress={onPress}>
        Stop
      </Button>
    </div>
  );
}
