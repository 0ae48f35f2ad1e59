import { type FocusEvent, type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { graphql } from 'react-relay';
import type { wholeTextPanelQuery, wholeTextPanelQuery$data } from '#ui/__generated__/wholeTextPanelQuery.graphql.ts';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { placePanel } from './place-panel.ts';
import { shownText } from './shown-text.ts';
import styles from './whole-text.module.css';

const QUERY = graphql`
  query wholeTextPanelQuery($id: ID!) {
    row: node(id: $id) {
      __typename
      ... on Span {
        statusCode
        statusMessage
        input {
          mimeType
          value
        }
        output {
          mimeType
          value
        }
      }
      ... on Trace {
        failed: spans(first: 5, filterCondition: "status_code == 'ERROR'") {
          edges {
            node {
              name
              statusMessage
            }
          }
        }
        rootSpan {
          input {
            mimeType
            value
          }
          output {
            mimeType
            value
          }
        }
      }
      ... on ProjectSession {
        firstInput {
          mimeType
          value
        }
        lastOutput {
          mimeType
          value
        }
      }
    }
  }
`;

/** What the panel shows. */
export interface WholeText {
  /** Global node id of the row. */
  readonly rowId: string;
  /** Undefined for all texts of the row. */
  readonly column: string | undefined;
  readonly anchor: HTMLElement;
}

interface WholeTextPanelProps {
  readonly shown: WholeText;
  /** Whether it was opened by a key, which then scrolls it. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: (event: PointerEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** The whole text of a cell, or all texts of a row, beside it. */
export function WholeTextPanel({ shown, takesFocus, onClose, ...events }: WholeTextPanelProps) {
  const { data, error } = useAnswer<wholeTextPanelQuery>(QUERY, { id: shown.rowId }, 0);
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = panel.current;
    if (element === null) return;
    const { left, top, width, height } = shown.anchor.getBoundingClientRect();
    const place = placePanel({ left, top, width, height }, { width: window.innerWidth, height: window.innerHeight });
    for (const [name, value] of Object.entries(place)) element.style.setProperty(cssName(name), `${value}px`);
    if (takesFocus) element.focus({ preventScroll: true });
  }, [shown.anchor, takesFocus]);

  useShortcuts('Whole text', KEYS);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    // Before whatever else Escape would close.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);

  const texts =
    data === undefined ? [] : textsOf(data.row).filter(({ id }) => shown.column === undefined || shown.column === id);
  return createPortal(
    <div
      ref={panel}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- It comes and goes with the pointer, and holds no focus by itself.
      role="dialog"
      aria-label="Whole text"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keys scroll it.
      tabIndex={0}
      className={styles.panel}
      {...events}
    >
      {error !== undefined && <p role="alert">The text could not be loaded. {describeError(error)}</p>}
      {data === undefined && error === undefined && <p className={styles.note}>Loading the text</p>}
      {data !== undefined && texts.length === 0 && (
        <p className={styles.note}>
          {shown.column === STATUS ? 'No error message was recorded.' : 'This row has no text.'}
        </p>
      )}
      {texts.map(({ id, title, value, mimeType }) => (
        <TextSection key={id} title={title} value={value} mimeType={mimeType} />
      ))}
    </div>,
    document.body,
  );
}

const KEYS: readonly Shortcut[] = [{ keys: 'Escape', label: 'Close the text' }];

function TextSection(props: { readonly title: string; readonly value: string; readonly mimeType: string }) {
  const { text, isCode, isCut } = shownText(props.value, props.mimeType);
  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <h3 className={styles.title}>{props.title}</h3>
        <CopyButton text={props.value} label={`Copy ${props.title.toLowerCase()}`} />
      </header>
      <div className={styles.text} data-code={isCode || undefined}>
        {text}
      </div>
      {isCut && <p className={styles.note}>The text goes on. Open the row to read all of it.</p>}
    </section>
  );
}

interface RowText {
  /** The column that shows its beginning. */
  readonly id: string;
  readonly title: string;
  readonly value: string;
  readonly mimeType: string;
}

type Text = { readonly mimeType: string; readonly value: string } | null | undefined;

function textsOf(row: wholeTextPanelQuery$data['row']): readonly RowText[] {
  switch (row.__typename) {
    case 'Span':
      return [
        ...(row.statusCode === 'ERROR' ? errorText(row.statusMessage ?? '') : []),
        ...rowText('input', 'Input', row.input),
        ...rowText('output', 'Output', row.output),
      ];
    case 'Trace':
      return [
        ...errorText(
          tellFailures(row.failed.edges.map(({ node }) => ({ ...node, statusMessage: node.statusMessage ?? '' }))),
        ),
        ...rowText('input', 'Input', row.rootSpan?.input),
        ...rowText('output', 'Output', row.rootSpan?.output),
      ];
    case 'ProjectSession':
      return [
        ...rowText('firstInput', 'First input', row.firstInput),
        ...rowText('lastOutput', 'Last output', row.lastOutput),
      ];
    default:
      return [];
  }
}

function rowText(id: string, title: string, text: Text): readonly RowText[] {
  return text == null || text.value === '' ? [] : [{ id, title, value: text.value, mimeType: text.mimeType }];
}

/** Why a row failed; it belongs to the column with the status. */
function errorText(value: string): readonly RowText[] {
  return rowText(STATUS, 'Error', { mimeType: 'text', value });
}

const STATUS = 'status';

/** What failed spans say, each on a line of its own. */
function tellFailures(spans: readonly { readonly name: string; readonly statusMessage: string }[]): string {
  return spans
    .filter(({ statusMessage }) => statusMessage !== '')
    .map(({ name, statusMessage }) => `${name}: ${statusMessage}`)
    .join('\n');
}

function cssName(name: string): string {
  return name === 'maxHeight' ? 'max-height' : name;
}
