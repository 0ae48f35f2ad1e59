import { Bot, CircleHelp, type LucideIcon, Settings2, User, Wrench } from 'lucide-react';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { formatJson } from '#ui/components/json-view/format-json.ts';
import styles from './conversation-view.module.css';
import { Fold } from './fold.tsx';
import type { ConversationMessage } from './model/conversation.ts';
import type { MessageRole } from './model/message.ts';
import { PartContent } from './part-content.tsx';
import { ToolCallView } from './tool-call-view.tsx';

/** The messages of a model call, those that it answered with set apart from what it was asked. */
export function ConversationView({ messages }: { readonly messages: readonly ConversationMessage[] }) {
  const firstAnswer = messages.findIndex(({ side }) => side === 'output');
  return (
    <ol className={styles.conversation}>
      {messages.map((message, index) => (
        <li key={message.key} className={styles.item}>
          {index === firstAnswer && index > 0 && <p className={styles.divider}>Output</p>}
          <MessageView message={message} />
        </li>
      ))}
    </ol>
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

function MessageView({ message }: { readonly message: ConversationMessage }) {
  const { role, roleName, name, parts, finishReason, isOrphan } = message;
  const { label, icon: Icon } = ROLES[role];
  const shownRole = role === 'other' && roleName !== '' ? roleName : label;
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
  const text = plainTextOf(message);
  return (
    <article className={styles.message} data-role={role} aria-label={`${shownRole} message`}>
      <header className={styles.header}>
        <Icon size={14} aria-hidden />
        <span className={styles.role}>{shownRole}</span>
        {name !== undefined && <span className={styles.name}>{name}</span>}
        {isOrphan && <span className={styles.name}>answers a call that is not in these messages</span>}
        <span className={styles.gap} />
        {finishReason !== undefined && <Badge>{finishReason}</Badge>}
        {text !== '' && <CopyButton text={text} label="Copy message" className={styles.copy} />}
      </header>
      {role === 'system' && text.length > MAX_OPEN_SYSTEM ? (
        <Fold title="Instructions" hint={text.slice(0, 200)}>
          {content}
        </Fold>
      ) : (
        content
      )}
    </article>
  );
}

function plainTextOf({ parts }: ConversationMessage): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool_call' ? `${part.call.name ?? 'tool'}(${formatJson(part.call.arguments ?? null)})` : [];
    })
    .join('\n\n');
}
