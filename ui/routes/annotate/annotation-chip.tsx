import { Bot, Code, type LucideIcon, User } from 'lucide-react';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './annotation-chip.module.css';
import { describeAnswer, type Judgement } from './model/judgements.ts';

const KINDS: Readonly<Record<Judgement['annotatorKind'], { readonly icon: LucideIcon; readonly by: string }>> = {
  HUMAN: { icon: User, by: 'by a person' },
  LLM: { icon: Bot, by: 'by a model' },
  CODE: { icon: Code, by: 'by code' },
};

/** See {@link AnnotationChip}. */
export interface AnnotationChipProps {
  readonly annotation: Pick<Judgement, 'name' | 'annotatorKind' | 'label' | 'score' | 'explanation'>;
  readonly className?: string | undefined;
}

/** What one annotation says, in one line: who judged, the name, and the value. */
export function AnnotationChip({ annotation, className }: AnnotationChipProps) {
  const { name, annotatorKind, explanation } = annotation;
  const { icon: Icon, by } = KINDS[annotatorKind];
  const said = describeAnswer(annotation);
  const title = `${name}: ${said}, ${by}${explanation === null || explanation === said ? '' : `\n${explanation}`}`;
  return (
    <span className={classNames(styles.chip, className)} title={title.slice(0, 1000)}>
      <Icon size={11} aria-hidden className={styles.icon} />
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>{said}</span>
      <VisuallyHidden>{by}</VisuallyHidden>
    </span>
  );
}
