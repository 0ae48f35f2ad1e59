/** What a program's JSON says in words: of requests, answers and states that hold a conversation, what was said last. */

/** Names under which requests and answers hold words, those of messages first. */
const SPOKEN_KEYS: readonly (readonly string[])[] = [
  ['"content"', '"text"'],
  ['"question"', '"query"', '"answer"', '"message"', '"prompt"', '"result"', '"input"', '"output"'],
];

/** How far from its end a text is searched, in UTF-16 code units: rows are made while somebody waits. */
const MAX_SEARCHED = 64 * 1024;

/** Empty texts and names of types that are passed by. */
const MAX_TRIES = 32;

/** As much of the words as a list can show. */
const MAX_SAID = 400;

/**
 * The words that come last in JSON text, cut off after some hundred; `undefined` where none are found. Parses nothing whole. What
 * is base64 is taken where nothing else is.
 */
export function lastSaid(json: string): string | undefined {
  let base64: string | undefined;
  const searched = json.length > MAX_SEARCHED ? json.slice(-MAX_SEARCHED) : json;
  for (const keys of SPOKEN_KEYS) {
    const places = keys.map((key) => ({ key, at: searched.lastIndexOf(key) }));
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const last = places.reduce((a, b) => (b.at > a.at ? b : a));
      if (last.at < 0) break;
      const words = wordsAt(searched, last.at + last.key.length);
      if (words !== undefined && !isBase64(words)) return words;
      base64 ??= words;
      last.at = last.at === 0 ? -1 : searched.lastIndexOf(last.key, last.at - 1);
    }
  }
  return base64;
}

/** A picture, sound or file, of which lists show nothing while there are words. */
function isBase64(words: string): boolean {
  return /^data:[\w/.+-]*[\w;=.-]*;base64,/i.test(words) || (words.length >= MIN_BASE64 && /^[\w+/-]+=*$/.test(words));
}

/** No word is so long. */
const MIN_BASE64 = 120;

/** The text that is the value of the key that ends there, unless it is blank or no text. */
function wordsAt(json: string, keyEnd: number): string | undefined {
  VALUE.lastIndex = keyEnd;
  const [, escaped] = VALUE.exec(json) ?? [];
  if (escaped === undefined) return undefined;
  const words = unescape(escaped);
  return words === undefined || words.trim() === '' ? undefined : words;
}

const VALUE = new RegExp(String.raw`\s{0,8}:\s{0,8}"((?:[^"\\]|\\.){1,${MAX_SAID}})`, 'ys');

function unescape(escaped: string): string | undefined {
  try {
    return JSON.parse(`"${escaped.replace(/\\u[\da-fA-F]{0,3}$/, '').replaceAll('\n', ' ')}"`) as string;
  } catch {
    return undefined; // no JSON after all
  }
}
