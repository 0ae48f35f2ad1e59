import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './sheet.module.css';

/** See {@link Sheet}. */
export interface SheetProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** On a phone, in place of a popover: a window at the lower edge, where the thumb is. Escape and a press outside it close it. */
export function Sheet({ label, isOpen, onOpenChange, children }: SheetProps) {
  return (
    <ModalOverlay className={styles.overlay} isOpen={isOpen} onOpenChange={onOpenChange} isDismissable data-modal>
      <Modal className={styles.sheet}>
        <Dialog className={styles.dialog} aria-label={label}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
