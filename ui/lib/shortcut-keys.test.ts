import { describe, expect, it } from 'vitest';
import { formatChord, isChord, type KeyPress, parseKeys } from './shortcut-keys.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...held };
}

function isPressed(keys: string, event: KeyPress, isApple = false): boolean {
  return parseKeys(keys).every((chord) => isChord(chord, event, isApple));
}

describe('a shortcut', () => {
  it('with mod is ⌘ on keyboards of Apple and Ctrl on others', () => {
    expect(isPressed('mod+K', press('k', { ctrlKey: true }))).toBe(true);
    expect(isPressed('mod+K', press('k', { metaKey: true }))).toBe(false);
    expect(isPressed('mod+K', press('k', { metaKey: true }), true)).toBe(true);
    expect(isPressed('mod+K', press('k', { ctrlKey: true }), true)).toBe(false);
  });

  it('of a letter is not pressed with anything held down', () => {
    expect(isPressed('j', press('j'))).toBe(true);
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }]) {
      expect(isPressed('j', press('j', held))).toBe(false);
    }
  });

  it('takes a letter as it is with caps lock', () => {
    expect(isPressed('j', press('J'))).toBe(true);
  });

  it('of a sign counts however the keyboard makes it', () => {
    expect(isPressed('?', press('?', { shiftKey: true }))).toBe(true);
    expect(isPressed('[', press('['))).toBe(true);
  });

  it('may be of the plus, alone or with something held', () => {
    expect(isPressed('+', press('+'))).toBe(true);
    expect(isPressed('+', press('+', { shiftKey: true }))).toBe(true);
    expect(isPressed('+', press('='))).toBe(false);
    expect(isPressed('mod++', press('+', { ctrlKey: true }))).toBe(true);
    expect(isPressed('mod++', press('+'))).toBe(false);
    expect(parseKeys('+').map((chord) => formatChord(chord, false))).toEqual([['+']]);
  });

  it('of a named key tells Shift from none', () => {
    expect(isPressed('Shift+Enter', press('Enter', { shiftKey: true }))).toBe(true);
    expect(isPressed('Shift+Enter', press('Enter'))).toBe(false);
    expect(isPressed('Enter', press('Enter', { shiftKey: true }))).toBe(false);
  });

  it('may be two keys one after the other', () => {
    expect(parseKeys('g p').map(({ key }) => key)).toEqual(['g', 'p']);
  });

  it('is written as the keyboard is', () => {
    const written = (keys: string, isApple: boolean) => parseKeys(keys).map((chord) => formatChord(chord, isApple));
    expect(written('mod+K', true)).toEqual([['⌘', 'K']]);
    expect(written('mod+K', false)).toEqual([['Ctrl', 'K']]);
    expect(written('Alt+Shift+ArrowDown', false)).toEqual([['Alt', 'Shift', '↓']]);
    expect(written('Escape', false)).toEqual([['Esc']]);
    expect(written('g p', false)).toEqual([['G'], ['P']]);
  });
});
