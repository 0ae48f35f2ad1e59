import { AppError } from '#base/errors';

/** What JSON may be, so that parsing it takes little more than its bytes. */
export interface JsonBounds {
  readonly maxDepth: number;
  /** Containers and the values in them. */
  readonly maxValues: number;
  /** Distinct member names, which the parser takes long for; those of as many members are not looked at. */
  readonly maxNames: number;
}

/**
 * Checks JSON that is not parsed yet, valid or not.
 * @throws AppError `invalid_argument` where it is nested too deep, `too_large` where it holds too many values or names
 */
export function assertJsonBounds(body: Uint8Array, { maxDepth, maxValues, maxNames }: JsonBounds): void {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = new Set<string>();
  let depth = 0;
  let valueCount = 0;
  let memberCount = 0;
  let textStart = 0;
  let textEnd = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22 /* quote */:
        textStart = at + 1;
        for (at++; at < body.length && body[at] !== 0x22; at++) if (body[at] === 0x5c /* backslash */) at++;
        textEnd = at;
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        depth++;
        valueCount++;
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth--;
        break;
      case 0x2c /* , */:
        valueCount++;
        break;
      case 0x3a /* : */:
        memberCount++;
        if (memberCount > maxNames) names.add(text.toString('latin1', textStart, textEnd));
        break;
      default:
        break;
    }
    if (depth > maxDepth) {
      throw new AppError('invalid_argument', `The body is JSON nested deeper than ${maxDepth} levels.`);
    }
    if (valueCount > maxValues || names.size > maxNames) {
      const [count, what] = valueCount > maxValues ? [maxValues, 'values'] : [maxNames, 'member names'];
      throw new AppError('too_large', `The body contains more than ${count} ${what}. Send fewer spans at once.`);
    }
  }
}
