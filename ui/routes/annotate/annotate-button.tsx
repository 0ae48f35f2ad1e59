import { PencilLine } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { useContext } from 'react';
import { JudgingPlaceContext, useAnnotateOpener } from './annotate-context.ts';
import type { TargetChoice } from './model/target.ts';

/** See {@link AnnotateButton}. */
export interface AnnotateButtonProps {
  readonly choice: TargetChoice;
  readonly label?: string;
}

/** Opens the annotate panel of the page; nothing where there is none, or it is always open. */
export function AnnotateButton({ choice, label = 'Annotate' }: AnnotateButtonProps) {
  const opener = useAnnotateOpener();
  // Where there is a place for judging, it is open.
  const hasPlace = useContext(JudgingPlaceContext) !== undefined;
  if (opener === undefined || hasPlace) return null;
  return (
    <IconButton
      icon={PencilLine}
      size="sm"
      label={label}
      shortcut={opener.keyed === choice ? 'e' : undefined}
      onPress={() => opener.open(choice)}
    />
  );
}
