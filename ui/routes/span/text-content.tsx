import { useMemo, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { HiddenBase64 } from '#ui/components/long-text/hidden-base64.tsx';
import { LongText } from '#ui/components/long-text/long-text.tsx';
import { withoutBase64 } from '#ui/components/long-text/base64-runs.ts';
import { isCostlyMarkdown } from '#ui/components/markdown/costly.ts';
import { Markdown } from '#ui/components/markdown/markdown.tsx';
import { formatBytes } from '#ui/lib/format.ts';
import { useMessageFormat } from './message-format.ts';
import { previewOf } from './model/preview.ts';
import { useIsHiddenFind } from './searched-text.ts';
import styles from './text-content.module.css';

/** See {@link TextContent}. */
export interface TextContentProps {
  readonly text: string;
  /** Says what it is: `user message`. */
  readonly label: string;
  /** Shows the beginning of what is long. */
  readonly isFolded?: boolean;
  /** What a program wrote: it is never Markdown. */
  readonly isPlain?: boolean;
}

/** More than this is neither laid out whole nor read as Markdown. */
const MAX_LAID_OUT = 40_000;

/** A text that somebody wrote, in the format that was chosen; the beginning of it where it is long. */
export function TextContent({ text, label, isFolded = true, isPlain = false }: TextContentProps) {
  const format = useMessageFormat();
  const [isUnfolded, setIsUnfolded] = useState(!isFolded);
  const printed = useMemo(
    () => withoutBase64(text, ({ bytes }) => `[base64, ${formatBytes(bytes)}]`).trimEnd(),
    [text],
  );
  const preview = useMemo(() => previewOf(printed), [printed]);
  const isOpen = useIsHiddenFind(printed, preview) || isUnfolded;
  if (printed.length > MAX_LAID_OUT) return <LongText text={text} label={label} />;
  const isLong = preview.length < printed.length;
  const shown = isLong && !isOpen ? preview : printed;
  const isMarkdown = format === 'markdown' && !isPlain && !isCostlyMarkdown(shown);
  return (
    <div className={styles.content} data-searched>
      <div className={isLong && !isOpen ? styles.preview : undefined}>
        {isMarkdown ? <Markdown text={shown} /> : <pre className={isPlain ? styles.code : styles.plain}>{shown}</pre>}
      </div>
      <HiddenBase64 text={text} />
      {isLong && isFolded && (
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={isOpen}
          onPress={() => setIsUnfolded(!isOpen)}
          className={styles.more}
        >
          {isOpen ? 'Show less' : `Show all (${formatBytes(printed.length)})`}
        </Button>
      )}
    </div>
  );
}
