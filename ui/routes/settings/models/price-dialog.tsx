import { useState } from 'react';
import { graphql } from 'react-relay';
import type { priceDialogCreateMutation } from '#ui/__generated__/priceDialogCreateMutation.graphql.ts';
import type { priceDialogUpdateMutation } from '#ui/__generated__/priceDialogUpdateMutation.graphql.ts';
import { DateTimeField } from '#ui/components/date-time-field.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import type { ActedPrice } from './model-tools.ts';
import { patternOf, PRICE_PARTS, type PriceFault, type PriceText, readPrice, writePrice } from './price-form.ts';
import styles from './models-page.module.css';

/** See {@link PriceDialog}. */
export interface PriceDialogProps {
  /** The price that is changed; absent: a new one is made. */
  readonly edited?: ActedPrice | undefined;
  /** What a new one begins with. */
  readonly template?: ActedPrice | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const CREATE = graphql`
  mutation priceDialogCreateMutation($input: CreateModelMutationInput!) {
    createModel(input: $input) {
      model {
        id
      }
    }
  }
`;

const UPDATE = graphql`
  mutation priceDialogUpdateMutation($input: UpdateModelMutationInput!) {
    updateModel(input: $input) {
      model {
        id
        name
        provider
        namePattern
        startTime
        updatedAt
        tokenPrices {
          kind
          tokenType
          costPerMillionTokens
        }
      }
    }
  }
`;

/** Makes or changes a price of people's own. */
export function PriceDialog({ edited, template, onClose, onChanged }: PriceDialogProps) {
  const zone = useTimeZone();
  const begun = edited ?? template;
  const [text, setText] = useState<PriceText>(() => writePrice(begun, zone));
  // While nobody has written a pattern, it fits the name.
  const [isPatternOwn, setIsPatternOwn] = useState(begun !== undefined);
  const [fault, setFault] = useState<PriceFault>();
  const create = useCommit<priceDialogCreateMutation>(CREATE);
  const update = useCommit<priceDialogUpdateMutation>(UPDATE);
  const longPrompts = begun?.longPromptPrices ?? [];

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const read = readPrice(text, zone);
    setFault(read.fault);
    if (read.input === undefined) return false;
    const input = {
      ...read.input,
      longPromptCosts: longPrompts.map(({ abovePromptTokens, tokenPrices }) => ({
        abovePromptTokens,
        costs: tokenPrices.map(
          (price) => ({ ...price, kind: price.kind === 'PROMPT' ? 'PROMPT' : 'COMPLETION' }) as const,
        ),
      })),
    };
    if (edited === undefined) await create({ input });
    else await update({ input: { id: edited.id, ...input } });
    onClose();
    onChanged();
    showToast({
      tone: 'success',
      title: `${revealHidden(input.name)} was ${edited === undefined ? 'added' : 'changed'}`,
      description:
        'Spans that arrive from now on have this price. Stored spans keep their cost until they are priced again.',
    });
    return true;
  });

  function change(next: Partial<PriceText>): void {
    setText((before) => ({ ...before, ...next }));
    setFault(undefined);
  }
  const faultOf = (field: PriceFault['field']) => ({
    isInvalid: fault?.field === field,
    error: fault?.field === field ? fault.text : undefined,
  });

  return (
    <FormDialog
      title={edited === undefined ? (template === undefined ? 'Add model' : 'Clone model') : 'Edit model'}
      verb={edited === undefined ? 'Add model' : 'Save'}
      size="md"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
          autoFocus
          autoComplete="off"
          maxLength={256}
          value={text.name}
          onChange={(name) => change({ name, ...(isPatternOwn ? {} : { pattern: patternOf(name) }) })}
          {...faultOf('name')}
        />
        <TextField
          label="Provider"
          placeholder="any"
          autoComplete="off"
          maxLength={256}
          value={text.provider}
          onChange={(provider) => change({ provider })}
        />
      </div>
      <TextField
        label="Pattern"
        autoComplete="off"
        spellCheck="false"
        value={text.pattern}
        onChange={(pattern) => {
          setIsPatternOwn(true);
          change({ pattern });
        }}
        hint="A regular expression that is searched for in the model’s name. (?i) ignores case."
        {...faultOf('pattern')}
      />
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>
          US dollars per million tokens. An empty type has the price of its side.
        </legend>
        <div className={styles.rates}>
          {PRICE_PARTS.map(({ id, label }) => (
            <TextField
              key={id}
              label={label}
              inputMode="decimal"
              autoComplete="off"
              value={text.rates[id]}
              onChange={(value) => change({ rates: { ...text.rates, [id]: value } })}
              {...faultOf(id)}
            />
          ))}
        </div>
      </fieldset>
      {longPrompts.length > 0 && (
        <p className={styles.legend}>
          Keeps other prices above{' '}
          {longPrompts.map(({ abovePromptTokens }) => formatExact(abovePromptTokens)).join(' and ')} prompt tokens.
        </p>
      )}
      <DateTimeField
        label={`Applies to calls from, in ${zone} (empty: all)`}
        value={text.start}
        onChange={(start) => change({ start })}
        isInvalid={fault?.field === 'start'}
      />
    </FormDialog>
  );
}
