import { Bot, CircleHelp, type LucideIcon, Settings2, User, Wrench } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { FindBar } from '#ui/components/long-text/find-bar.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useHighlights } from '#ui/lib/use-highlights.ts';
import styles from './conversation-view.module.css';
import { Fold } from './fold.tsx';
import { LongList } from './long-list.tsx';
import type { ConversationMessage } from './model/conversation.ts';
import { findMessages, textOfMessage } from './model/find-messages.ts';
import type { MessageRole } from './model/message.ts';
import { PartContent } from './part-content.tsx';
import { SearchedText } from './searched-text.ts';
import { ToolCallView } from './tool-call-view.tsx';

/** So many are looked through without help. */
const MAX_UNSEARCHED = 20;

/** The messages of a model call, those that it answered with set apart from what it was asked. */
export function ConversationView({ messages }: { readonly messages: readonly ConversationMessage[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(query);
  const found = useMemo(() => findMessages(messages, searched), [messages, searched]);
  const firstAnswer = messages.findIndex(({ side }) => side === 'output');
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
        <LongList
          items={messages}
          noun="messages"
          keyOf={({ key }) => key}
          wanted={found[current]}
          className={styles.conversation}
        >
          {(message, index) => (
            <>
              {index === firstAnswer && index > 0 && <p className={styles.divider}>Output</p>}
              <MessageView message={message} isFound={index === found[current]} />
            </>
          )}
        </LongList>
      </SearchedText>
    </div>
  );
}

const ROLES: Readonly<Record<MessageRole, { readonly label: string; readonly icon: LucideIcon }>> = {
  system: { label: 'System', icon: Settings2 },
  user: { label: 'User', icon: User },
  assistant: { label: 'Assistant', icon: Bot },
  tool: { label: 'Tool', icon: Wrench },
  other: { label: 'Message', icon: CircleHelp },
};

/** Instructions that are longer than this are read once, not in every span. */
const MAX_OPEN_SYSTEM = 600;

function MessageView({ message, isFound }: { readonly message: ConversationMessage; readonly isFound: boolean }) {
  const { role, roleName, name, parts, finishReason, isOrphan } = message;
  const { label, icon: Icon } = ROLES[role];
  const shownRole = role === 'other' && roleName !== '' ? revealHidden(roleName) : label;
  const content = (
    <div className={styles.parts}>
      {parts.length === 0 && <p className={styles.absent}>No content was recorded</p>}
      {parts.map((part, index) =>
        part.type === 'tool_call' ? (
          <ToolCallView key={index} part={part} side={message.side} />
        ) : (
          <PartContent key={index} part={part} label={`${shownRole.toLowerCase()} message`} isPlain={role === 'tool'} />
        ),
      )}
    </div>
  );
  const text = textOfMessage(message);
  return (
    <article
      className={styles.message}
      data-role={role}
      data-found={isFound || undefined}
      aria-label={`${shownRole} message`}
    >
      <header className={styles.header}>
        <Icon size={14} aria-hidden />
        <span className={styles.role}>{shownRole}</span>
        {name !== undefined && (
          <span className={styles.name}>
            <Name>{name}</Name>
          </span>
        )}
        {isOrphan && <span className={styles.name}>answers a call that these messages do not contain</span>}
        <span className={styles.gap} />
        {finishReason !== undefined && (
          <Badge>
            <Name>{finishReason}</Name>
          </Badge>
        )}
        {text !== '' && <CopyButton text={text} label="Copy message" className={styles.copy} />}
      </header>
      {role === 'system' && text.length > MAX_OPEN_SYSTEM ? (
        <Fold title="Instructions" hint={text.slice(0, 200)} searched={text}>
          {content}
        </Fold>
      ) : (
        content
      )}
    </article>
  );
}
