import { Bot, CircleHelp, type LucideIcon, Settings2, User, Wrench } from 'lucide-react';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { Fold } from './fold.tsx';
import styles from './message-view.module.css';
import type { ConversationMessage } from './model/conversation.ts';
import { textOfMessage } from './model/find-messages.ts';
import type { MessageRole } from './model/message.ts';
import { PartContent } from './part-content.tsx';
import { ToolCallView } from './tool-call-view.tsx';

const ROLES: Readonly<Record<MessageRole, { readonly label: string; readonly icon: LucideIcon }>> = {
  system: { label: 'System', icon: Settings2 },
  user: { label: 'User', icon: User },
  assistant: { label: 'Assistant', icon: Bot },
  tool: { label: 'Tool', icon: Wrench },
  other: { label: 'Message', icon: CircleHelp },
};

/** Instructions that are longer than this are read once, not in every span. */
const MAX_OPEN_SYSTEM = 600;

/** See {@link MessageView}. */
export interface MessageViewProps {
  readonly message: ConversationMessage;
  /** Whether the search stands at it. */
  readonly isFound?: boolean;
}

/** One message: who speaks, and what was said, called and answered. */
export function MessageView({ message, isFound = false }: MessageViewProps) {
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
