import { Filter, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Repair } from '#filter/diagnostic';
import { parseFilter } from '#filter/parse-filter';
import { suggest } from '#filter/suggest';
import type { FilterGrain } from '#filter/tree';
import { IconButton } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useJudgement } from '#ui/lib/use-judgement.ts';
import { COMMON_FILTERS, usualFirst } from './common-filters.ts';
import { cutAtFaults } from './cut-at-faults.ts';
import { FaultList } from './fault-list.tsx';
import { FilterRefusal } from './filter-refusal.tsx';
import { rememberFilter, useLastFilters } from './last-filters.ts';
import { type Choice, SuggestionList } from './suggestion-list.tsx';
import { UnappliedNote } from './unapplied-note.tsx';
import { useObserved } from './use-observed.ts';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  readonly projectId: string;
  readonly grain: FilterGrain;
  /** As the address has it; null: none. */
  readonly applied: string | null;
  readonly onApply: (filter: string | null) => void;
  /** What the rows are, in the middle of a sentence. */
  readonly noun: string;
  /** What is filtered, where it is not rows: `The charts below`. */
  readonly shown?: string;
  /** Stand in one line with the field. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** Stands in a line of its own. */
  readonly below?: ReactNode;
  /** Why the server has no answer to what is applied. */
  readonly refusal?: Error | null;
}

/**
 * The field for a filter: it completes names and values, and underlines errors. Enter applies the filter. Error messages
 * are shown when the user pauses or leaves the field.
 */
export function FilterBar({
  projectId,
  grain,
  applied,
  onApply,
  noun,
  shown = 'The rows below',
  before,
  after,
  below,
  refusal = null,
}: FilterBarProps) {
  const [text, setText] = useState(applied ?? '');
  const [caret, setCaret] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  /** Place of the suggestion that was gone to by arrows; null: of none. */
  const [chosenPlace, setChosenPlace] = useState<number | null>(null);
  const [isWriting, setIsWriting] = useState(false);
  const [judgement, judge] = useJudgement(text);
  const input = useRef<HTMLInputElement>(null);
  const underlay = useRef<HTMLDivElement>(null);
  const listId = useId();
  const faultsId = useId();
  const refusalId = useId();
  const noteId = useId();
  // A filter that came another way, from a facet or a link, stands in the field.
  const [known, setKnown] = useState(applied);
  if (known !== applied) {
    setKnown(applied);
    setText(applied ?? '');
    judge(applied ?? '');
  }

  const checkedText = useDeferredValue(text);
  const { diagnostics } = useMemo(() => parseFilter(grain, checkedText), [grain, checkedText]);
  const [observed, lookUp] = useObserved(projectId, isOpen);
  const suggestions = useMemo(() => suggest(grain, text, caret, observed), [grain, text, caret, observed]);
  const last = useLastFilters(grain);
  useEffect(() => {
    if (isOpen && suggestions.valuesOf !== null) lookUp(suggestions.valuesOf);
  }, [isOpen, suggestions.valuesOf, lookUp]);
  useShortcuts('Filter', [
    { keys: '/', label: `Filter ${noun}`, run: () => input.current?.focus() },
    { keys: 'ArrowUp ArrowDown', label: 'Previous or next suggestion' },
    { keys: 'Tab', label: 'Accept the selected suggestion' },
    { keys: 'Enter', label: 'Accept the selected suggestion, or apply the filter' },
    { keys: 'Escape', label: 'Close the suggestions, then leave the field' },
  ]);

  const choices: readonly Choice[] =
    text === ''
      ? [
          ...last.map((filter) => ({ kind: 'last' as const, label: filter, detail: 'used recently', filter })),
          ...COMMON_FILTERS[grain].map(({ name, filter }) => ({
            kind: 'common' as const,
            label: name,
            detail: filter,
            filter,
          })),
          ...usualFirst(grain, suggestions.items),
        ]
      : suggestions.items;
  const hasList = isOpen && choices.length > 0;
  const faults = checkedText === text ? diagnostics : [];
  const hasFault = faults.some(({ severity }) => severity === 'error');
  // What is missing at the end may be what comes next: where nothing else is wrong, only who leaves it so is told.
  const isTold = judgement === 'asked' || !isOpen || faults.some(({ start }) => start < text.trimEnd().length);
  const told = judgement === 'none' || !isTold ? [] : faults;
  const isRefused = refusal !== null && text === applied && !hasFault;
  const isFaulty = isRefused || told.some(({ severity }) => severity === 'error');
  const isUnapplied = text.trim() !== (applied ?? '').trim() && (isFaulty || !isOpen);
  const hasPopup = isOpen && (hasList || told.length > 0);
  // A word that makes no filter yet is completed by the first suggestion, unless another is gone to.
  const isCompleting = isWriting && hasFault && suggestions.start < caret;
  const active = chosenPlace ?? (isCompleting ? 0 : -1);
  const described = [
    ...(told.length > 0 ? [faultsId] : []),
    ...(isRefused ? [refusalId] : []),
    ...(isUnapplied ? [noteId] : []),
  ];

  function write(next: string, at: number): void {
    flushSync(() => {
      setText(next);
      setCaret(at);
      setChosenPlace(null);
      setIsWriting(false);
    });
    // At once: a frame later it would stand before what was typed meanwhile.
    input.current?.setSelectionRange(at, at);
  }

  function choose(choice: Choice): void {
    if ('filter' in choice) {
      write(choice.filter, choice.filter.length);
      if (choice.kind === 'common') apply(choice.filter);
      return;
    }
    const { start, end } = suggestions;
    const head = text.slice(0, start);
    const isName = choice.kind === 'field' || choice.kind === 'attribute';
    const gap =
      choice.cursor === undefined && (isName || choice.kind === 'operator' || choice.kind === 'keyword') ? ' ' : '';
    const rest = text.slice(end);
    const insert = rest.startsWith(' ') ? choice.insert : choice.insert + gap;
    write(head + insert + rest, head.length + (choice.cursor ?? insert.length));
  }

  function apply(next = text): void {
    const wanted = next.trim();
    judge(next);
    if (wanted !== '' && parseFilter(grain, wanted).diagnostics.some(({ severity }) => severity === 'error')) return;
    setIsOpen(false);
    if (wanted !== '') rememberFilter(grain, wanted);
    onApply(wanted === '' ? null : wanted);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = hasList ? choices[active] : undefined;
    if (step !== undefined) {
      if (!hasList) setIsOpen(true);
      // One step beyond either end nothing is chosen.
      else setChosenPlace(((active + step + choices.length + 2) % (choices.length + 1)) - 1);
    } else if (chosen !== undefined && (event.key === 'Enter' || event.key === 'Tab')) choose(chosen);
    else if (event.key === 'Enter') apply();
    else if (event.key === 'Escape' && hasPopup) setIsOpen(false);
    else if (event.key === 'Escape') {
      goBack();
      input.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function mend({ start, end, text: replacement }: Repair): void {
    const mended = text.slice(0, start) + replacement + text.slice(end);
    write(mended, start + replacement.length);
    input.current?.focus();
    apply(mended);
  }

  function goBack(): void {
    setText(applied ?? '');
    judge(applied ?? '');
  }

  const problems = (
    <>
      {told.length > 0 && <FaultList id={faultsId} faults={told} isUrgent={judgement === 'asked'} onMend={mend} />}
      {isUnapplied && (
        <UnappliedNote
          id={noteId}
          applied={applied}
          shown={shown}
          isFaulty={isFaulty}
          onApply={() => apply()}
          onGoBack={goBack}
        />
      )}
    </>
  );

  return (
    <search className={styles.bar}>
      <div className={styles.line}>
        {before}
        <div
          className={styles.field}
          data-invalid={isFaulty || undefined}
          data-applied={applied !== null || undefined}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (currentTarget.contains(relatedTarget)) return;
            setIsOpen(false);
            judge(text);
          }}
        >
          <Filter size={14} aria-hidden />
          <div className={styles.text}>
            <div ref={underlay} className={styles.underlay} aria-hidden>
              {cutAtFaults(text, faults).map(({ start, part, severity }) => (
                <span key={start} className={severity === null ? undefined : styles.fault} data-severity={severity}>
                  {part}
                </span>
              ))}
            </div>
            <input
              ref={input}
              className={styles.input}
              role="combobox"
              aria-label={`Filter ${noun}`}
              aria-autocomplete="list"
              aria-expanded={hasList}
              aria-controls={listId}
              aria-activedescendant={hasList && active >= 0 ? `${listId}-${active}` : undefined}
              aria-invalid={isFaulty}
              aria-describedby={described.join(' ') || undefined}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder={`Filter ${noun}`}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setCaret(event.target.selectionStart ?? event.target.value.length);
                setChosenPlace(null);
                setIsWriting(true);
                setIsOpen(true);
              }}
              onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
              onScroll={(event) => underlay.current?.scrollTo({ left: event.currentTarget.scrollLeft })}
              onFocus={() => setIsOpen(true)}
              onKeyDown={onKeyDown}
            />
          </div>
          {text === '' ? (
            <Kbd keys="/" isHint />
          ) : (
            <IconButton
              icon={X}
              size="sm"
              label="Clear the filter"
              onPress={() => {
                setText('');
                apply('');
              }}
            />
          )}
          {hasPopup && (
            <div className={styles.popup}>
              {hasList && <SuggestionList id={listId} choices={choices} active={active} onChoose={choose} />}
              {problems}
            </div>
          )}
        </div>
        {after}
      </div>
      {!isOpen && problems}
      {isRefused && <FilterRefusal id={refusalId} refusal={refusal} />}
      {below}
    </search>
  );
}
