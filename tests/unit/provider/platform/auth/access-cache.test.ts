import { expect, test } from 'vitest'
import { AccessCache, type OpenChanges } from '../../../../../provider/platform/auth/access-cache.ts'

const MINUTE_MS = 60_000

/** Cache over a value that tests change, with a clock that tests set, a count of loads, and the stored changes. */
function openCache(state = { now: 0, stored: 'old', loads: 0, changes: new Map<string, number>(), saves: 0 }) {
  const storage = {
    load: () => state.changes,
    save: (changes: OpenChanges) => {
      state.changes = new Map(changes)
      state.saves += 1
    },
  }
  const cache = new AccessCache(storage, () => state.now)
  const read = () =>
    cache.read('key', () => {
      state.loads += 1
      return Promise.resolve(state.stored)
    })
  /** Returns the cache of an object that restarts: only the storage stays. */
  const restart = () => openCache(state)
  return { state, cache, read, restart }
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

test('a change stays open when its object restarts, and expires at its time', async () => {
  const before = openCache()
  before.cache.startChange('a')
  const { state, cache, read } = before.restart()
  expect(await read()).toBe('old')
  state.stored = 'new'
  expect(await read()).toBe('new')
  state.stored = 'newer'
  state.now = 30_000
  expect(await read()).toBe('newer')
  expect([cache.hasOpenChanges(), state.changes.size]).toEqual([false, 0])
})

test('a change that ends after a restart leaves nothing stored, and is stored twice in all', () => {
  const { state, cache, restart } = openCache()
  cache.startChange('a')
  restart().cache.endChange('a')
  restart().cache.endChange('a')
  expect([state.changes.size, state.saves]).toEqual([0, 2])
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
