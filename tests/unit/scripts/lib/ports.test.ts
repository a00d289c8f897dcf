import { afterEach, expect, test, vi } from 'vitest'
import { findFreePort } from '../../../../scripts/lib/ports.ts'

afterEach(() => vi.unstubAllEnvs())

const reservePorts = (count: number) => Promise.all(Array.from({ length: count }, findFreePort))

test('a port is handed out once, and so are the two after it', async () => {
  const ports = (await reservePorts(400)).flatMap((port) => [port, port + 1, port + 2])
  expect(new Set(ports).size).toBe(ports.length)
})

test('test files that run concurrently get ports that no other file gets', async () => {
  const portsByPool = []
  for (const pool of ['1', '2', '3', '4']) {
    vi.stubEnv('VITEST_POOL_ID', pool)
    portsByPool.push((await reservePorts(20)).toSorted((port, other) => port - other))
  }
  const ordered = portsByPool.toSorted(([port = 0], [other = 0]) => port - other)
  expect(ordered.flat()).toEqual(ordered.flat().toSorted((port, other) => port - other))
  expect(Math.min(...ordered.flat())).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...ordered.flat())).toBeLessThan(31_998)
})
