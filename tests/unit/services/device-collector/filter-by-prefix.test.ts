import { expect, test } from 'vitest'
import { filterByPrefix } from '../../../../src/services/device-collector/first-party-value.ts'

test('EVENT-27 the entries that begin with the prefix are returned in their order', () => {
  expect(filterByPrefix('a=', ['a=2', 'ba=1', 'a=1', 'A=3', 7])).toEqual(['a=2', 'a=1'])
  expect(filterByPrefix('', ['b', 'a'])).toEqual(['b', 'a'])
  expect(filterByPrefix('a', [])).toEqual([])
})

test.each([undefined, null, 7, ['a'], /a/])('EVENT-27 the prefix %j is rejected', (prefix) => {
  expect(() => filterByPrefix(prefix as unknown as string, [])).toThrow('Prefix must be a string.')
})

test.each([undefined, null, 'a', { length: 1 }, new Set(['a'])])('EVENT-27 the list %j is rejected', (list) => {
  expect(() => filterByPrefix('a', list as unknown as unknown[])).toThrow('List must be an array.')
})
