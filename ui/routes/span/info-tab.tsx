import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { Name } from '#ui/components/name.tsx';
import { Card as CardFrame } from '#ui/components/panel.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { CardContent } from './card-content.tsx';
import { Exceptions } from './exception-view.tsx';
import styles from './info-tab.module.css';
import type { SpanEvents } from './model/events.ts';
import { type Card, type Fact, findOutputCard, type SpanView } from './model/span-view.ts';
import { OutputJump } from './output-jump.tsx';
import { OutputPlace } from './output-place.ts';
import type { CardsState } from './use-cards.ts';

/** See {@link InfoTab}. */
export interface InfoTabProps {
  readonly view: SpanView;
  readonly events: SpanEvents;
  /** Log records that belong to the span. */
  readonly logCount: number;
  readonly cardsState: CardsState;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
}

/** What the span did, in cards of its kind. */
export function InfoTab({ view, events, logCount, cardsState, scroller }: InfoTabProps) {
  const { cards, facts, tags } = view;
  const [output, setOutput] = useState<HTMLElement | null>(null);
  const outputCard = findOutputCard(cards);
  function jumpToOutput(): void {
    if (outputCard === undefined) return;
    let target = output;
    if (target === null) {
      flushSync(() => cardsState.setOpen(outputCard, true));
      target = scroller.current?.querySelector<HTMLElement>('[data-output]') ?? null;
    }
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  }
  useShortcuts('Span', outputCard === undefined ? [] : [{ keys: 'o', label: 'Go to the output', run: jumpToOutput }]);
  const isEmpty = cards.length === 0 && events.exceptions.length === 0;
  return (
    <div className={styles.info}>
      {facts.length + tags.length > 0 && <Facts facts={facts} tags={tags} />}
      <Exceptions exceptions={events.exceptions} />
      <OutputPlace value={outputCard?.type === 'conversation' ? setOutput : undefined}>
        {cards.map((card) => (
          <CardFrame
            key={card.id}
            title={
              <>
                {card.title}
                <CardCount card={card} />
              </>
            }
            isExpanded={cardsState.isOpen(card)}
            onExpandedChange={(isOpen) => cardsState.setOpen(card, isOpen)}
          >
            {card === outputCard && card.type !== 'conversation' ? (
              <div ref={setOutput} className={styles.output} tabIndex={-1} data-output>
                <CardContent card={card} />
              </div>
            ) : (
              <CardContent card={card} />
            )}
          </CardFrame>
        ))}
      </OutputPlace>
      {isEmpty && <NoCards eventCount={events.others.length} logCount={logCount} />}
      <OutputJump target={output} scroller={scroller} onJump={jumpToOutput} />
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
