import { PencilLine } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { useAnnotateOpener } from './annotate-context.ts';
import type { TargetChoice } from './model/target.ts';

/** See {@link AnnotateButton}. */
export interface AnnotateButtonProps {
  readonly choice: TargetChoice;
  readonly label?: string;
}

/** Opens the annotate panel of the page; nothing where there is none. */
export function AnnotateButton({ choice, label = 'Annotate' }: AnnotateButtonProps) {
  const opener = useAnnotateOpener();
  if (opener === undefined) return null;
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
