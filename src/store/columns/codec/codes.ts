/** Codes: the place of each row's value in the list of distinct ones. */
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readPlanes, writePlanes } from './planes.ts';
import { NEW_ARRAYS, type TakeArray } from './reused-arrays.ts';

const FORMS = { constant: 0, ascending: 1, bytes: 2, words: 3 } as const;

/** Writes codes below 2^16. */
export function writeCodes(out: ByteWriter, codes: Uint16Array): void {
  out.size(codes.length);
  const first = codes[0] ?? 0;
  if (codes.every((code) => code === first)) {
    out.byte(FORMS.constant);
    out.size(first);
  } else if (codes.every((code, row) => code === first + row)) {
    out.byte(FORMS.ascending);
    out.size(first);
  } else {
    const isNarrow = codes.every((code) => code <= 0xff);
    out.byte(isNarrow ? FORMS.bytes : FORMS.words);
    writePlanes(out, codes, isNarrow ? 1 : 2);
  }
}

/** Reads what {@link writeCodes} wrote. */
export function readCodes(from: ByteReader, take: TakeArray<Uint16Array> = NEW_ARRAYS.takeCodes): Uint16Array {
  const codes = take(from.size());
  const form = from.byte();
  switch (form) {
    case FORMS.constant:
      return codes.fill(from.size());
    case FORMS.ascending: {
      const first = from.size();
      for (let row = 0; row < codes.length; row++) codes[row] = first + row;
      return codes;
    }
    case FORMS.bytes:
    case FORMS.words:
      readPlanes(from, codes, form === FORMS.bytes ? 1 : 2);
      return codes;
    default:
      throw new RangeError(`codes are in the unknown form ${form}`);
  }
}
