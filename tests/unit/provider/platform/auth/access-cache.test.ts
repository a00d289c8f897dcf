import { expect, test } from 'vitest'
import { AccessCache } from '../../../../../provider/platform/auth/access-cache.ts'

const MINUTE_MS = 60_000

/** Cache over a value that tests change, with a clock that tests set and a count of loads. */
function openCache() {
  const state = { now: 0, stored: 'old', loads: 0 }
  const cache = new AccessCache(() => state.now)
  const read = () =>
    cache.read('key', () => {
      state.loads += 1
      return Promise.resolve(state.stored)
    })
  return { state, cache, read }
}

/** Load that ends when the test calls `finish`. */
function startLoad(value: string) {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { load: () => promise, finish: () => resolve(value) }
}

test('a value is loaded once, also by simultaneous reads', async () => {
  const { state, read } = openCache()
  expect(await Promise.all([read(), read()])).toEqual(['old', 'old'])
  expect(await read()).toBe('old')
  expect(state.loads).toBe(1)
})

test('while a change is open, every read loads the value', async () => {
  const { state, cache, read } = openCache()
  await read()
  cache.startChange('a')
  state.stored = 'new'
  expect([await read(), await read()]).toEqual(['new', 'new'])
  expect(state.loads).toBe(3)
})

test('a read between the start of a change and its write does not outlive the change', async () => {
  const { state, cache, read } = openCache()
  cache.startChange('a')
  expect(await read()).toBe('old')
  state.stored = 'new'
  cache.endChange('a')
  expect(await read()).toBe('new')
})

test('the end of one change leaves another change open', async () => {
  const { state, cache, read } = openCache()
  cache.startChange('a')
  cache.startChange('b')
  cache.endChange('a')
  await read()
  state.stored = 'new'
  expect(await read()).toBe('new')
})

test('a load that began before a change does not fill the cache after it', async () => {
  const { state, cache, read } = openCache()
  const early = startLoad('old')
  const earlyRead = cache.read('key', early.load)
  cache.startChange('a')
  state.stored = 'new'
  cache.endChange('a')
  early.finish()
  expect(await earlyRead).toBe('old')
  expect(await read()).toBe('new')
})

test('a change whose writer crashed after the write expires, and leaves no old value', async () => {
  const { state, cache, read } = openCache()
  await read()
  cache.startChange('a')
  state.stored = 'new'
  state.now = 29_999
  expect(await read()).toBe('new')
  state.now = 30_000
  await read()
  const { loads } = state
  expect(await read()).toBe('new')
  expect(state.loads).toBe(loads)
})

test('a value is loaded again after ten minutes', async () => {
  const { state, read } = openCache()
  await read()
  state.stored = 'new'
  state.now = 10 * MINUTE_MS - 1
  expect(await read()).toBe('old')
  state.now = 10 * MINUTE_MS
  expect(await read()).toBe('new')
})

test('null and errors are not cached', async () => {
  const { cache, read } = openCache()
  expect(await cache.read('key', () => Promise.resolve(null))).toBeNull()
  await expect(cache.read('key', () => Promise.reject(new Error('D1 is unavailable.')))).rejects.toThrow()
  expect(await read()).toBe('old')
})

test('the oldest value makes room for the 201st', async () => {
  const { state, cache, read } = openCache()
  await read()
  for (let n = 1; n <= 200; n += 1) await cache.read(`other ${n}`, () => Promise.resolve(n))
  await read()
  expect(state.loads).toBe(2)
})
