import { Bot, User } from 'lucide-react';
import { useMemo } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { JsonContent } from '#ui/routes/span/json-content.tsx';
import { TextContent } from '#ui/routes/span/text-content.tsx';
import { readTurnText } from './model/turn-text.ts';
import type { TurnValue } from './session-source.ts';
import styles from './turn-texts.module.css';

/** Both sides of a turn. */
export function TurnTexts({ input, output }: { readonly input: TurnValue | null; readonly output: TurnValue | null }) {
  return (
    <>
      <Bubble side="input" value={input} />
      <Bubble side="output" value={output} />
    </>
  );
}

function Bubble({ side, value }: { readonly side: 'input' | 'output'; readonly value: TurnValue | null }) {
  const text = useMemo(() => (value === null ? undefined : readTurnText(value.value, side)), [value, side]);
  const label = side === 'input' ? 'User' : 'Assistant';
  const Icon = side === 'input' ? User : Bot;
  return (
    <div className={classNames(styles.bubble, styles[side])}>
      <p className={styles.speaker}>
        <Icon size={13} aria-hidden />
        {label}
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
