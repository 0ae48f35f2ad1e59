import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as value from './values.ts';

function refused(type: value.ValueType<unknown>, ...texts: string[]): string[] {
  return texts.filter((text) => type.parse(text) instanceof value.Refusal);
}

describe('a boolean', () => {
  it('is true or false in any case, and no other word', () => {
    expect(['true', 'TRUE', 'False'].map(value.boolean.parse)).toEqual([true, true, false]);
    const others = ['1', '0', 'yes', 'on', 'truee'];
    expect(refused(value.boolean, ...others)).toEqual(others);
  });
});

describe('a port', () => {
  it('is a whole number from 0 to 65535', () => {
    expect(['0', '6006', '65535'].map(value.port.parse)).toEqual([0, 6006, 65535]);
    const others = ['65536', '-1', '6e3', '0x10', '80.5', 'http', '999999999999'];
    expect(refused(value.port, ...others)).toEqual(others);
  });
});

describe('numbers', () => {
  it('keep to their bounds and to plain digits', () => {
    expect(value.integer(1024, 4096).parse('2048')).toBe(2048);
    const whole = ['1023', '4097', '2e3', '1_024', '64MiB', '-2048'];
    expect(refused(value.integer(1024, 4096), ...whole)).toEqual(whole);

    const percentage = value.decimal({ isZeroAllowed: true, maximum: 100 });
    expect(['0', '12.5', '100'].map(percentage.parse)).toEqual([0, 12.5, 100]);
    const parts = ['100.1', '-1', 'NaN', 'Infinity', '1e1', '.5'];
    expect(refused(percentage, ...parts)).toEqual(parts);
    expect(refused(value.decimal({ isZeroAllowed: false, maximum: Number.MAX_VALUE }), '0')).toEqual(['0']);
  });
});

describe('a path', () => {
  it('is absolute, with the home directory for a leading tilde alone', () => {
    expect(value.path.parse('~/data')).toBe(join(homedir(), 'data'));
    expect(value.path.parse('~')).toBe(homedir());
    expect(value.path.parse('a/~b')).toBe(resolve('a/~b'));
    expect(value.path.parse('~other/x')).toBe(resolve('~other/x'));
  });
});

describe('hosts', () => {
  it('are names or addresses, alone', () => {
    expect(['LocalHost', '0.0.0.0', '[::1]', '::'].map(value.host.parse)).toEqual([
      'localhost',
      '0.0.0.0',
      '::1',
      '::',
    ]);
    const others = ['http://a', 'a:80', 'a/b', 'a b', '*', '-a', `${'a'.repeat(64)}.de`];
    expect(refused(value.host, ...others)).toEqual(others);
  });

  it('are names alone in the list of allowed ones', () => {
    expect(value.hostList.parse('Cairn, cairn.example.com. ,,')).toEqual(['cairn', 'cairn.example.com']);
    const others = ['*', 'a,*.example.com', 'a:80', 'https://a'];
    expect(refused(value.hostList, ...others)).toEqual(others);
  });
});

describe('addresses of the web', () => {
  it('are origins without path, and never a wildcard', () => {
    expect(value.originList.parse('https://App.example.com:443, http://localhost:3000/')).toEqual([
      'https://app.example.com',
      'http://localhost:3000',
    ]);
    const others = ['*', 'null', 'https://a/b', 'ftp://a', 'https://u:p@a', 'a.example.com'];
    expect(refused(value.originList, ...others)).toEqual(others);
  });

  it('are URLs without a trailing slash', () => {
    expect(['https://a.example/x/', 'http://a'].map(value.httpUrl.parse)).toEqual(['https://a.example/x', 'http://a']);
    const others = ['a.example', '//a', 'file:///x', 'https://a?x=1', 'https://a#x', 'https://u:p@a'];
    expect(refused(value.httpUrl, ...others)).toEqual(others);
  });

  it('are root paths with a slash before and none behind', () => {
    expect(value.rootPath.parse('/a/b-c')).toBe('/a/b-c');
    const others = ['a', '/', '/a/', '/a//b', '/../a', '/a/.', '/a?b', '/ä'];
    expect(refused(value.rootPath, ...others)).toEqual(others);
  });
});

describe('words', () => {
  it('are known in any case, with the names of levels that Phoenix uses', () => {
    expect(['DEBUG', 'warning', 'critical'].map(value.logLevel.parse)).toEqual(['debug', 'warn', 'error']);
    expect(refused(value.logLevel, 'loud', 'constructor')).toEqual(['loud', 'constructor']);
    expect(value.oneOf('default', 'structured').parse('Structured')).toBe('structured');
    expect(refused(value.oneOf('default', 'structured'), 'json')).toEqual(['json']);
  });
});
