import { CornerDownRight, Wrench } from 'lucide-react';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { JsonContent } from './json-content.tsx';
import type { ConversationPart } from './model/conversation.ts';
import { isEmpty } from './model/read-json.ts';
import { PartContent, SaidText } from './part-content.tsx';
import styles from './tool-call-view.module.css';

type Call = Extract<ConversationPart, { type: 'tool_call' }>;

/** A call of a tool with what it was called with and, beside it, what came back. */
export function ToolCallView({ part, side }: { readonly part: Call; readonly side: 'input' | 'output' }) {
  const { call, results } = part;
  return (
    <section className={styles.call} aria-label={`Call of ${revealHidden(call.name ?? 'a tool')}`}>
      <header className={styles.header}>
        <Wrench size={13} aria-hidden />
        <span className={styles.name}>
          {call.name === undefined ? 'Tool without a name' : <Name>{call.name}</Name>}
        </span>
        {call.id !== undefined && (
          <>
            <code className={styles.id} title={call.id}>
              {call.id}
            </code>
            <CopyButton text={call.id} label="Copy call id" />
          </>
        )}
      </header>
      <div className={styles.body}>
        {isEmpty(call.arguments) ? (
          <p className={styles.absent}>No arguments</p>
        ) : typeof call.arguments === 'string' ? (
          <SaidText text={call.arguments} label="arguments" isPlain />
        ) : (
          <JsonContent value={call.arguments ?? null} label="arguments" />
        )}
      </div>
      {results.map((result, index) => (
        <div key={index} className={styles.result}>
          <p className={styles.resultTitle}>
            <CornerDownRight size={13} aria-hidden />
            Result{results.length > 1 && ` ${index + 1}`}
            {result.name !== undefined && result.name !== call.name && ` of ${result.name}`}
          </p>
          {result.parts.length === 0 && <p className={styles.absent}>Empty</p>}
          {result.parts.map((shown, at) =>
            shown.type === 'tool_call' ? null : <PartContent key={at} part={shown} label="result" isPlain />,
          )}
        </div>
      ))}
      {results.length === 0 && (
        <p className={styles.pending}>
          <CornerDownRight size={13} aria-hidden />
          {side === 'output' ? 'The result is not part of this span' : 'No result in these messages'}
        </p>
      )}
    </section>
  );
}
