import { expect, test } from 'vitest'
import { withPrefix } from '../../../../src/services/device-collector/with-prefix.ts'

test('EVENT-27 the entries that begin with the prefix are returned in their order', () => {
  expect(withPrefix('a=', ['a=2', 'ba=1', 'a=1', 'A=3', 7])).toEqual(['a=2', 'a=1'])
  expect(withPrefix('', ['b', 'a'])).toEqual(['b', 'a'])
  expect(withPrefix('a', [])).toEqual([])
})

test.each([undefined, null, 7, ['a'], /a/])('EVENT-27 the prefix %j is rejected', (prefix) => {
  expect(() => withPrefix(prefix as unknown as string, [])).toThrow('Prefix must be a string.')
})

test.each([undefined, null, 'a', { length: 1 }, new Set(['a'])])('EVENT-27 the list %j is rejected', (list) => {
  expect(() => withPrefix('a', list as unknown as unknown[])).toThrow('List must be an array.')
})
