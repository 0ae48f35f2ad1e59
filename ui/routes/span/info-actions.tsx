import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import styles from './info-tab.module.css';
import { setMessageFormat, useMessageFormat } from './message-format.ts';
import type { Card } from './model/span-view.ts';
import type { CardsState } from './use-cards.ts';

/** See {@link InfoActions}. */
export interface InfoActionsProps {
  readonly cards: readonly Card[];
  readonly cardsState: CardsState;
}

/** How the texts of the cards are shown, and all cards folded or unfolded at once. */
export function InfoActions({ cards, cardsState }: InfoActionsProps) {
  if (cards.length === 0) return null;
  return (
    <div className={styles.actions}>
      {cards.some(({ type }) => type !== 'json' && type !== 'tools') && <Format />}
      <IconButton icon={ChevronsDownUp} size="sm" label="Collapse all cards" onPress={() => cardsState.setAll(false)} />
      <IconButton icon={ChevronsUpDown} size="sm" label="Expand all cards" onPress={() => cardsState.setAll(true)} />
    </div>
  );
}

function Format() {
  return (
    <SegmentedControl
      label="Text format"
      items={[
        { id: 'markdown', label: 'Markdown' },
        { id: 'plain', label: 'Text' },
      ]}
      selectedKey={useMessageFormat()}
      onSelectionChange={setMessageFormat}
    />
  );
}
