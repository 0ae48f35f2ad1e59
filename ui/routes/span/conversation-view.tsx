import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { FindBar } from '#ui/components/long-text/find-bar.tsx';
import { useHighlights } from '#ui/lib/use-highlights.ts';
import styles from './conversation-view.module.css';
import { EarlierMessages } from './earlier-messages.tsx';
import { LongList } from './long-list.tsx';
import { MessageView } from './message-view.tsx';
import type { ConversationMessage } from './model/conversation.ts';
import { divideConversation, lastQuestion } from './model/divide-conversation.ts';
import { findMessages, MAX_UNSEARCHED } from './model/find-messages.ts';
import { useOutputPlace } from './output-place.ts';
import { SearchedText } from './searched-text.ts';

/** The messages of a model call: the last input and the answer, and what came before on request. */
export function ConversationView({ messages }: { readonly messages: readonly ConversationMessage[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(query);
  const found = useMemo(() => findMessages(messages, searched), [messages, searched]);
  const { earlier, recent } = useMemo(() => divideConversation(messages), [messages]);
  const wanted = found[current];
  const wantedRecent = wanted === undefined || wanted < earlier.length ? undefined : wanted - earlier.length;
  const wantedEarlier = wanted === undefined || wanted >= earlier.length ? undefined : wanted;
  useHighlights(place, searched);
  return (
    <div ref={place}>
      {messages.length > MAX_UNSEARCHED && (
        <div className={styles.search}>
          <FindBar
            label="Find in the messages"
            query={query}
            onQueryChange={(next) => {
              setQuery(next);
              setCurrent(0);
            }}
            count={found.length}
            current={current}
            onCurrentChange={setCurrent}
          />
        </div>
      )}
      <SearchedText value={searched}>
        {earlier.length > 0 && (
          <div className={styles.earlier}>
            <EarlierMessages count={earlier.length} hint={lastQuestion(earlier)} isWanted={wantedEarlier !== undefined}>
              <Messages messages={earlier} wanted={wantedEarlier} />
            </EarlierMessages>
          </div>
        )}
        <Messages messages={recent} wanted={wantedRecent} />
      </SearchedText>
    </div>
  );
}

interface MessagesProps {
  readonly messages: readonly ConversationMessage[];
  /** Index of the one that the search stands at. */
  readonly wanted: number | undefined;
}

/** Messages one below the other, those that the model answered with set apart from what it was asked. */
function Messages({ messages, wanted }: MessagesProps) {
  const outputPlace = useOutputPlace();
  const firstAnswer = messages.findIndex(({ side }) => side === 'output');
  return (
    <LongList items={messages} noun="messages" keyOf={({ key }) => key} wanted={wanted} className={styles.conversation}>
      {(message, index) =>
        index === firstAnswer ? (
          <div ref={outputPlace} className={styles.answer} tabIndex={-1} data-output>
            {index > 0 && <p className={styles.divider}>Output</p>}
            <MessageView message={message} isFound={index === wanted} />
          </div>
        ) : (
          <MessageView message={message} isFound={index === wanted} />
        )
      }
    </LongList>
  );
}
