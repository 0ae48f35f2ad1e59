import { memo, useMemo, useState } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { formatDuration, formatExact } from '#ui/lib/format.ts';
import { Exceptions } from '#ui/routes/span/exception-view.tsx';
import { Fold } from '#ui/routes/span/fold.tsx';
import { JsonContent } from '#ui/routes/span/json-content.tsx';
import { MessageView } from '#ui/routes/span/message-view.tsx';
import type { ConversationMessage } from '#ui/routes/span/model/conversation.ts';
import { divideConversation, lastQuestion } from '#ui/routes/span/model/divide-conversation.ts';
import { textOfMessage } from '#ui/routes/span/model/find-messages.ts';
import { readSaid } from '#ui/routes/span/model/said.ts';
import { isToldByExceptions } from '#ui/routes/span/model/same-error.ts';
import { TextContent } from '#ui/routes/span/text-content.tsx';
import type { TreeNode } from '../model/forest.ts';
import type { TraceSpan } from '../model/trace-span.ts';
import type { LogContent } from './log-contents.ts';
import { excerptOf } from './log-text.ts';
import styles from './log-entry.module.css';

/** What one span read, wrote and met. */
export const LogEntry = memo(function LogEntry(props: {
  readonly node: TreeNode;
  readonly span: TraceSpan;
  /** Since the trace began. */
  readonly sinceMs: number;
  /** Undefined until it is fetched. */
  readonly content: LogContent | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (node: TreeNode) => void;
}) {
  const { node, span, content } = props;
  return (
    <article className={styles.entry} data-selected={props.isSelected || undefined}>
      <button
        type="button"
        className={styles.head}
        aria-current={props.isSelected}
        onClick={() => props.onSelect(node)}
      >
        <span className={styles.since}>+{formatDuration(props.sinceMs)}</span>
        <KindIcon kind={span.kind} size={14} />
        <span className={styles.name}>{span.name === '' ? <em>unnamed</em> : <Name>{span.name}</Name>}</span>
        {span.status === 'ERROR' && <StatusMark status="ERROR" />}
        <span className={styles.length}>
          {span.endMs === null ? 'running' : formatDuration(span.endMs - span.startMs)}
        </span>
      </button>
      {content === undefined ? (
        <div className={styles.waiting}>
          <Skeleton lines={2} />
        </div>
      ) : (
        <Contents content={content} hasFailed={span.status === 'ERROR'} />
      )}
    </article>
  );
});

interface ContentsProps {
  readonly content: LogContent;
  readonly hasFailed: boolean;
}

/** The same parts as in the details of the span. */
function Contents({ content, hasFailed }: ContentsProps) {
  const { input, output, exceptions, statusMessage } = content;
  const hasMessage = statusMessage !== '' && !isToldByExceptions(statusMessage, exceptions);
  if (input === null && output === null && exceptions.length === 0 && !hasMessage) {
    return <p className={styles.nothing}>No input or output.</p>;
  }
  return (
    <dl className={styles.contents}>
      {input !== null && <Value side="input" text={input} />}
      {output !== null && <Value side="output" text={output} />}
      {exceptions.length > 0 && (
        <>
          <dt className={styles.label} data-label="error">
            error
          </dt>
          <dd className={styles.value}>
            <Exceptions exceptions={exceptions} />
          </dd>
        </>
      )}
      {hasMessage && (
        <>
          <dt className={styles.label} data-label={hasFailed ? 'error' : undefined}>
            {hasFailed ? 'error' : 'status'}
          </dt>
          <dd className={styles.text} data-label={hasFailed ? 'error' : undefined} data-searched>
            {statusMessage.slice(0, MAX_STATUS).trimEnd()}
          </dd>
        </>
      )}
    </dl>
  );
}

const MAX_STATUS = 4000;
/** Longer ones are read in the details; here only their beginning is drawn. */
const MAX_READ = 20_000;

function Value({ side, text }: { readonly side: 'input' | 'output'; readonly text: string }) {
  return (
    <>
      <dt className={styles.label}>{side === 'input' ? 'in' : 'out'}</dt>
      <dd className={styles.value}>
        {text.length > MAX_READ ? <LongValue text={text} /> : <SaidValue side={side} text={text} />}
      </dd>
    </>
  );
}

function SaidValue({ side, text }: { readonly side: 'input' | 'output'; readonly text: string }) {
  const said = useMemo(() => readSaid(text, side), [text, side]);
  switch (said.type) {
    case 'messages':
      return <Messages messages={said.messages} side={side} />;
    case 'json':
      return <JsonContent value={said.value} label={side} />;
    case 'text':
      return (
        <div className={styles.prose}>
          <TextContent text={said.text} label={side} />
        </div>
      );
    default:
      return said satisfies never;
  }
}

interface MessagesProps {
  readonly messages: readonly ConversationMessage[];
  readonly side: 'input' | 'output';
}

/** All messages of an answer; of an input the last, because those before it stand in entries above. */
function Messages({ messages, side }: MessagesProps) {
  const { earlier, recent } =
    side === 'input' ? divideConversation(messages) : { earlier: [], recent: messages.slice(0, MAX_ANSWERS) };
  return (
    <div className={styles.messages}>
      {earlier.length > 0 && (
        <Fold
          title={`${formatExact(earlier.length)} earlier messages`}
          hint={lastQuestion(earlier)}
          searched={earlier.map(textOfMessage).join('\n')}
        >
          <div className={styles.messages}>
            {earlier.slice(-MAX_EARLIER).map((message) => (
              <MessageView key={message.key} message={message} />
            ))}
          </div>
        </Fold>
      )}
      {recent.map((message) => (
        <MessageView key={message.key} message={message} />
      ))}
    </div>
  );
}

/** The details show all of them. */
const MAX_EARLIER = 30;
const MAX_ANSWERS = 10;

function LongValue({ text }: { readonly text: string }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { text: shown, hiddenCount } = excerptOf(text, isUnfolded);
  return (
    <div className={styles.text}>
      <pre className={styles.pre} data-searched>
        {shown}
        {hiddenCount > 0 && '…'}
      </pre>
      {hiddenCount > 0 && !isUnfolded && (
        <button type="button" className={styles.more} onClick={() => setIsUnfolded(true)}>
          Show {formatExact(hiddenCount)} more characters
        </button>
      )}
      {hiddenCount > 0 && isUnfolded && (
        <p className={styles.rest}>{formatExact(hiddenCount)} more characters are shown in the span’s details.</p>
      )}
    </div>
  );
}
