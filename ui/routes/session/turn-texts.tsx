import { Bot, type LucideIcon, User, Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { Name } from '#ui/components/name.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import { JsonContent } from '#ui/routes/span/json-content.tsx';
import { TextContent } from '#ui/routes/span/text-content.tsx';
import { readTurnText } from './model/turn-text.ts';
import type { TurnValue } from './session-source.ts';
import styles from './turn-texts.module.css';

/** See {@link TurnTexts}. */
export interface TurnTextsProps {
  readonly input: TurnValue | null;
  readonly output: TurnValue | null;
  /** What a tool gave back, where that is all that is known of the answer. */
  readonly toolResult?: { readonly toolName: string; readonly value: TurnValue } | null;
}

/** Both sides of a turn. */
export function TurnTexts({ input, output, toolResult = null }: TurnTextsProps) {
  return (
    <>
      <Bubble speaker="user" value={input} />
      {toolResult !== null && <Bubble speaker="tool" value={toolResult.value} toolName={toolResult.toolName} />}
      {(output !== null || toolResult === null) && <Bubble speaker="assistant" value={output} />}
    </>
  );
}

type Speaker = 'user' | 'assistant' | 'tool';

interface Look {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly side: 'input' | 'output';
  readonly style: string | undefined;
}

const LOOKS: Readonly<Record<Speaker, Look>> = {
  user: { label: 'User', icon: User, side: 'input', style: styles.user },
  assistant: { label: 'Assistant', icon: Bot, side: 'output', style: styles.assistant },
  tool: { label: 'Tool result', icon: Wrench, side: 'output', style: styles.tool },
};

interface BubbleProps {
  readonly speaker: Speaker;
  readonly value: TurnValue | null;
  readonly toolName?: string;
}

function Bubble({ speaker, value, toolName }: BubbleProps) {
  const { label, icon: Icon, side, style } = LOOKS[speaker];
  const text = useMemo(() => (value === null ? undefined : readTurnText(value.value, side)), [value, side]);
  return (
    <div className={classNames(styles.bubble, style)}>
      <p className={styles.speaker}>
        <Icon size={13} aria-hidden />
        {label}
        {toolName !== undefined && toolName !== '' && (
          <span className={styles.toolName}>
            <Name>{toolName}</Name>
          </span>
        )}
      </p>
      {text === undefined ? (
        <p className={styles.absent}>{side === 'input' ? 'No input was recorded' : 'No output was recorded'}</p>
      ) : text.type === 'json' ? (
        <JsonContent value={text.value} label={`${label.toLowerCase()} message`} />
      ) : (
        <TextContent text={text.text} label={`${label.toLowerCase()} message`} />
      )}
    </div>
  );
}
