/** What a file must hold to be taken for damage that was kept: pages beside the data file may be damaged, too. */
import { type Damage, DAMAGE_KINDS } from '../engine/damage.ts';

type Check = (value: unknown) => boolean;

/** Whether all of it is as the server keeps it. It names rows to be read and indexes to be made again, in SQL. */
export function isKeptDamage(kept: unknown): kept is Damage {
  return isDamage(kept);
}

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
/** Of a table or an index. */
const isName: Check = (value) => typeof value === 'string' && /^\w+$/.test(value);
const isTimeOrNone: Check = (value) => value === null || Number.isSafeInteger(value);
const isRowIds = listOf(Number.isSafeInteger);

function oneOf(known: readonly string[]): Check {
  return (value) => known.some((one) => one === value);
}

function listOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

/** An object with all of the first fields, perhaps some of the others, and no more. */
function objectOf(needed: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const checks = new Map(Object.entries({ ...needed, ...optional }));
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const fields: readonly (readonly [name: string, field: unknown])[] = Object.entries(value);
    const isComplete = Object.keys(needed).every((name) => Object.hasOwn(value, name));
    return isComplete && fields.every(([name, field]) => checks.get(name)?.(field) === true);
  };
}

const isDamage = objectOf(
  {
    kind: oneOf(DAMAGE_KINDS),
    message: isText,
    spans: listOf(objectOf({ traceId: isText, spanId: isText })),
  },
  {
    shared: isText,
    segment: Number.isSafeInteger,
    part: Number.isSafeInteger,
    logRecordRowIds: isRowIds,
    spanRowIds: isRowIds,
    index: objectOf({ table: isName, name: isName, isRebuildable: isFlag }, { isLarge: isFlag }),
    sums: objectOf({ projectRowId: Number.isSafeInteger, fromUs: isTimeOrNone, belowUs: isTimeOrNone }),
    envelope: objectOf({ table: oneOf(['otel_resources', 'instrumentation_scopes']), rowId: Number.isSafeInteger }),
  } satisfies Partial<Record<keyof Damage, Check>>,
);
