import { EyeOff, Lightbulb } from 'lucide-react';
import { useMemo } from 'react';
import { Fold } from './fold.tsx';
import { JsonContent } from './json-content.tsx';
import { MediaContent } from './media-content.tsx';
import type { MessagePart } from './model/message.ts';
import { parseContainer } from './model/read-json.ts';
import styles from './part-content.module.css';
import { TextContent } from './text-content.tsx';

/** See {@link PartContent}. */
export interface PartContentProps {
  readonly part: Exclude<MessagePart, { type: 'tool_call' }>;
  /** Says whose it is: `user message`. */
  readonly label: string;
  /** What a program wrote: it is never Markdown. */
  readonly isPlain?: boolean;
}

/** One part of what was said, as what it is. */
export function PartContent({ part, label, isPlain = false }: PartContentProps) {
  switch (part.type) {
    case 'text':
      return <SaidText text={part.text} label={label} isPlain={isPlain} />;
    case 'reasoning':
      return <Reasoning text={part.text} />;
    case 'redacted':
      return (
        <p className={styles.absent}>
          <EyeOff size={13} aria-hidden /> Redacted by the application
        </p>
      );
    case 'media':
      return <MediaContent media={part} />;
    case 'json':
      return <JsonContent value={part.value} label={label} />;
    default:
      return part satisfies never;
  }
}

interface SaidTextProps extends Omit<PartContentProps, 'part'> {
  readonly text: string;
}

/** Text; JSON where it is that. */
export function SaidText({ text, label, isPlain = false }: SaidTextProps) {
  const json = useMemo(() => parseContainer(text), [text]);
  if (json !== undefined) return <JsonContent value={json} label={label} />;
  return <TextContent text={text} label={label} isPlain={isPlain} />;
}

function Reasoning({ text }: { readonly text: string | undefined }) {
  if (text === undefined) {
    return (
      <p className={styles.absent}>
        <Lightbulb size={13} aria-hidden /> Reasoning withheld by the provider
      </p>
    );
  }
  return (
    <div className={styles.reasoning}>
      <Fold title="Reasoning" hint={text.slice(0, 200)} searched={text}>
        <TextContent text={text} label="reasoning" />
      </Fold>
    </div>
  );
}
