import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#ui/components/badge.tsx';
import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { Name } from '#ui/components/name.tsx';
import { Card as CardFrame } from '#ui/components/panel.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { CardContent } from './card-content.tsx';
import { Exceptions } from './exception-view.tsx';
import styles from './info-tab.module.css';
import { setMessageFormat, useMessageFormat } from './message-format.ts';
import type { SpanEvents } from './model/events.ts';
import type { Card, Fact, SpanView } from './model/span-view.ts';

/** See {@link InfoTab}. */
export interface InfoTabProps {
  readonly view: SpanView;
  readonly events: SpanEvents;
  /** Log records that belong to the span. */
  readonly logCount: number;
}

/** What the span did, in cards of its kind. */
export function InfoTab({ view, events, logCount }: InfoTabProps) {
  // Cards keep their own state; another generation of them begins folded or unfolded together.
  const [together, setTogether] = useState<{ readonly generation: number; readonly isOpen?: boolean }>({
    generation: 0,
  });
  const foldAll = (isOpen: boolean) => setTogether(({ generation }) => ({ generation: generation + 1, isOpen }));
  const { cards, facts, tags } = view;
  const isEmpty = cards.length === 0 && events.exceptions.length === 0;
  return (
    <div className={styles.info}>
      {facts.length + tags.length > 0 && <Facts facts={facts} tags={tags} />}
      <Exceptions exceptions={events.exceptions} />
      {cards.length > 0 && (
        <div className={styles.actions}>
          {cards.some(({ type }) => type !== 'json' && type !== 'tools') && <Format />}
          <span className={styles.gap} />
          <Button size="sm" variant="ghost" icon={ChevronsDownUp} onPress={() => foldAll(false)}>
            Collapse all
          </Button>
          <Button size="sm" variant="ghost" icon={ChevronsUpDown} onPress={() => foldAll(true)}>
            Expand all
          </Button>
        </div>
      )}
      {cards.map((card) => (
        <CardFrame
          key={`${card.id} ${together.generation}`}
          title={
            <>
              {card.title}
              <CardCount card={card} />
            </>
          }
          defaultExpanded={together.isOpen ?? card.isFolded !== true}
        >
          <CardContent card={card} />
        </CardFrame>
      ))}
      {isEmpty && <NoCards eventCount={events.others.length} logCount={logCount} />}
    </div>
  );
}

function NoCards({ eventCount, logCount }: { readonly eventCount: number; readonly logCount: number }) {
  if (eventCount + logCount === 0) {
    return (
      <EmptyState title="Only timing was recorded">
        This span has no input, output or messages. Everything else it has is under Attributes.
      </EmptyState>
    );
  }
  const has = [...(eventCount > 0 ? ['events'] : []), ...(logCount > 0 ? ['log records'] : [])].join(' and ');
  return (
    <EmptyState title="No input, output or messages were recorded">
      This span has {has}, shown under Events. Everything else is under Attributes.
    </EmptyState>
  );
}

function CardCount({ card }: { readonly card: Card }) {
  const count = countOf(card);
  return count === undefined ? null : <span className={styles.count}>{formatExact(count)}</span>;
}

function countOf(card: Card): number | undefined {
  switch (card.type) {
    case 'conversation':
      return card.messages.length;
    case 'tools':
      return card.tools.length;
    case 'documents':
      return card.documents.length;
    case 'texts':
      return card.texts.length;
    case 'text':
    case 'json':
      return undefined;
    default:
      return card satisfies never;
  }
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

function Facts({ facts, tags }: { readonly facts: readonly Fact[]; readonly tags: readonly string[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={styles.fact}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.value} title={revealHidden(value)}>
              <Name>{value}</Name>
            </span>
            <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} className={styles.copy} />
          </dd>
        </div>
      ))}
      {tags.length > 0 && (
        <div className={styles.fact}>
          <dt>Tags</dt>
          <dd className={styles.tags}>
            {[...new Set(tags)].map((tag) => (
              <Badge key={tag}>
                <Name>{tag}</Name>
              </Badge>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
