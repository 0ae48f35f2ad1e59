/** The form of a queue: what was typed, and what is sent. */
import type { QueueRows } from './queue-words.ts';

/** What a queue is, as its form needs it. */
export interface EditableQueue {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly rows: QueueRows;
  readonly reviewsPerItem: number;
  readonly isBlind: boolean;
  readonly holdMinutes: number;
  readonly configIds: readonly string[];
}

/** What was typed. */
export interface QueueText {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly rows: QueueRows;
  readonly reviewsPerItem: string;
  readonly isBlind: boolean;
  readonly holdMinutes: string;
  /** In the order in which they are asked. */
  readonly configIds: readonly string[];
}

/** What is wrong, by field. */
export type QueueFaults = Partial<Readonly<Record<'name' | 'reviewsPerItem' | 'holdMinutes', string>>>;

/** The form of a queue, or of a new one. */
export function writeQueue(queue?: EditableQueue): QueueText {
  return {
    name: queue?.name ?? '',
    description: queue?.description ?? '',
    instructions: queue?.instructions ?? '',
    rows: queue?.rows ?? 'TRACES',
    reviewsPerItem: String(queue?.reviewsPerItem ?? 1),
    isBlind: queue?.isBlind ?? false,
    holdMinutes: String(queue?.holdMinutes ?? 15),
    configIds: queue?.configIds ?? [],
  };
}

/** What is wrong with the form, in words for the user. */
export function queueFaults({ name, reviewsPerItem, holdMinutes }: QueueText): QueueFaults {
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(!isWhole(reviewsPerItem, 1, 5) && { reviewsPerItem: 'Enter a number from 1 to 5.' }),
    ...(!isWhole(holdMinutes, 1, 240) && { holdMinutes: 'Enter a number from 1 to 240.' }),
  };
}

/** What is sent of a form without faults. */
export function toQueueInput({ name, description, instructions, configIds, isBlind, ...text }: QueueText) {
  return {
    name: name.trim(),
    description: description.trim() || null,
    instructions: instructions.trim() || null,
    reviewsPerItem: Number(text.reviewsPerItem),
    isBlind,
    holdMinutes: Number(text.holdMinutes),
    annotationConfigIds: [...configIds],
  };
}

function isWhole(text: string, least: number, most: number): boolean {
  const value = Number(text);
  return /^\s*\d+\s*$/.test(text) && value >= least && value <= most;
}
